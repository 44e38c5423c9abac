"""Archives on standard input, which have no name that tells what they are."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
import zstandard

from tests.cli.sending import ANTHROPIC

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.running import Copy, Program


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
@pytest.mark.parametrize(
    "words",
    [("rehydrate", "-", *ANTHROPIC), ("migrate", "-", "-o", "-", "--store", "images"), ("scan", "-"), ("estimate", "-"), ("check", "-")],
)
def test_archives_on_standard_input(program: Program, session: Copy, words: tuple[str, ...], pack: Callable[[bytes], bytes]) -> None:
    data = session("a.jsonl").read_bytes()
    plain, packed = program(*words, stdin=data), program(*words, stdin=pack(data))
    assert plain.returncode == 0
    assert (packed.returncode, packed.stdout) == (plain.returncode, plain.stdout)
