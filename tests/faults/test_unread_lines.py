"""Lines that are nested too deep to be read: what hangs on them, or answers them, is not known to be at fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.faults import FAULTS
from sessionkit.ops.cases import unseen
from tests.faults.repairing import repaired
from tests.faults.structure_bases import of_pi, slow_chain
from tests.faults.workshop import Session, opened

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DEEP = {"whole": b"[" * 1500 + b"]" * 1500, "without an end": b"[" * 5000}


@pytest.mark.parametrize("deep", DEEP.values(), ids=DEEP)
@pytest.mark.parametrize("at", [1, 8, 9])
@pytest.mark.parametrize("make", [of_pi, slow_chain])
def test_nothing_is_said_to_be_missing_that_may_stand_there(make: Callable[[], Session], at: int, deep: bytes, tmp_path: Path) -> None:
    session = make()
    bad = session.with_line(at, session.lines[at - 1].rstrip()[:-1] + b',"deep":' + deep + b"}\n")
    with opened(tmp_path, bad) as case:
        assert [finding for fault in FAULTS for finding in fault.find(case) if finding.counts] == []
        assert [words.split(":")[0] for words in unseen(case)] == [f"line {at} is nested too deep to be read"]
    assert repaired(tmp_path, bad.content, frozenset({"relink", "pairs"})).content == bad.content
