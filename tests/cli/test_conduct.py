"""What is told when all is done: the sum, then what failed, what nobody knows, and what was left behind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.cli.conduct import Report, conduct, manner
from sessionkit.errors import ExitCode, LeftBehindError, Place, UnknownOutcomeError, UnreadableError
from sessionkit.ops.failed import Failed
from sessionkit.ops.sources import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from sessionkit.ops.batch import Batch

HOW = manner(1, fail_fast=False, quiet=False, verbose=False)
SOURCES = [Source(Path(f"{name}.jsonl"), Path(f"{name}.jsonl")) for name in "abcde"]


class Sum(Report[str]):
    """Prints when it is closed."""

    def add(self, result: str) -> None:
        """Say nothing of a session."""

    def close(self, code: ExitCode) -> None:
        """Sum up."""
        print(f"sum: {code}")


def test_what_is_left_behind_is_told_after_the_sum(capfd: pytest.CaptureFixture[str]) -> None:
    def work(_batch: Batch) -> Iterator[str]:
        yield "done"
        raise LeftBehindError("the journal cannot be removed", place=Place("journal"), why="it is busy", hint="remove it")

    assert conduct(work, SOURCES[:1], Sum(), HOW) is ExitCode.OK
    assert capfd.readouterr() == ("sum: 0\n", "journal: the journal cannot be removed: it is busy\n  next: remove it\n")


def test_what_nobody_knows_is_not_told_as_failed(capfd: pytest.CaptureFixture[str]) -> None:
    def work(_batch: Batch) -> Iterator[str | Failed]:
        yield "done"
        yield Failed(SOURCES[1], UnreadableError("cannot be read", place=Place("b.jsonl")))
        for source in SOURCES[2:]:
            yield Failed(source, UnknownOutcomeError("the scheduler is gone", hint="wait"))

    assert conduct(work, SOURCES, Sum(), HOW) is ExitCode.PARTIAL
    told = "1 of 5 sessions failed:\nerror: b.jsonl: cannot be read\nwhat became of 3 of 5 sessions is unknown:\n"
    assert capfd.readouterr().err == f"{told}error: the scheduler is gone\n  next: wait\n"
