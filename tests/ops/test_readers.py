"""The mode of what is made of sessions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from sessionkit.ops.readers import common_mode
from sessionkit.ops.sources import find_one

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(params=[0o022, 0o002, 0o077], ids=oct)
def mask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    assert os.umask(before) == request.param


@pytest.mark.parametrize("modes", [(0o644,), (0o644, 0o600), (0o775, 0o664), (0o440, 0o666), (0o666, 0o604)], ids=str)
def test_nobody_may_read_it_who_may_not_read_all_sessions(tmp_path: Path, mask: int, modes: tuple[int, ...]) -> None:
    sources = [find_one(str(tmp_path / "missing.jsonl"))]
    for number, mode in enumerate(modes):
        path = tmp_path / f"{number}.jsonl"
        path.touch()
        path.chmod(mode)
        sources.append(find_one(str(path)))
    given = common_mode(sources)
    others = given & 0o077
    assert given & 0o700 == 0o600
    assert all(others & ~granted == 0 for granted in (*modes, ~mask, 0o066))
    assert all(others & bit for bit in (0o040, 0o020, 0o004, 0o002) if all(granted & bit for granted in (*modes, ~mask)))
    assert common_mode([*sources, find_one("-")]) == 0o600
