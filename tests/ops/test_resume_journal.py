"""Which files are journals, and where they stand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sessionkit.errors import LeftBehindError, LockedError, UnwritableError, UsageError
from sessionkit.ops import migrate
from sessionkit.ops.batch import Batch
from sessionkit.ops.resume import history
from sessionkit.ops.resume.plan import Resumption
from sessionkit.ops.targets import OneFile
from tests.ops.resuming import NAMES, QUICK, furnished, half_done, outcomes, plans, resumed
from tests.ops.runs import transfers, write


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return furnished(tmp_path)


def test_the_journal_does_not_stand_where_sessions_are_searched_for(home: Path) -> None:
    (home / "inline" / "deep").mkdir()
    named = migrate.Plan(transfers([home / "inline" / "a.jsonl"], OneFile(home / "a.jsonl")), QUICK)
    for plan, path in [(plans(home)["migrate"], "deep/journal.jsonl.gz"), (named, "journal.jsonl")]:
        with pytest.raises(UsageError, match="the next run would take the journal for a session"):
            list(Resumption(plan, home / "inline" / path).run(Batch()))
    assert outcomes(list(Resumption(named, home / "inline" / "journal").run(Batch()))) == "W"


@pytest.mark.parametrize("content", [b"notes of mine", b'{"schema":"other"}\n', b"[]\n", b"[" * 20_000])
def test_another_file_is_left_alone(home: Path, content: bytes) -> None:
    write(home / "journal", content)
    with pytest.raises(UsageError, match="no journal"):
        resumed(home)
    assert (home / "journal").read_bytes() == content


def test_what_is_no_file_is_no_journal(home: Path) -> None:
    os.mkfifo(home / "pipe")
    (home / "link").symlink_to(home / "elsewhere")
    for path in (home, home / "pipe", home / "link", Path("/dev/null")):
        with pytest.raises(UsageError, match=r"no journal of --resume: it is .*\n  next: name a regular file, or one"):
            list(Resumption(plans(home)["migrate"], path).run(Batch()))
    with pytest.raises(UsageError, match="a journal is a file"):
        list(Resumption(plans(home)["migrate"], Path("-")).run(Batch()))


def test_a_journal_that_can_only_be_read(home: Path) -> None:
    with pytest.raises(UnwritableError, match="cannot be written"):
        list(Resumption(plans(home)["migrate"], Path("/sys/kernel/uevent_seqnum")).run(Batch()))


@pytest.mark.parametrize("size", [0, 1, 20, 40])
def test_a_header_that_was_cut_short_is_written_again(home: Path, size: int) -> None:
    half_done(home)
    write(home / "journal", (home / "journal").read_bytes()[:size])
    half_done(home)
    assert outcomes(resumed(home)) == "RRW"


def test_a_journal_that_cannot_be_removed_is_told_of_after_all_results(home: Path) -> None:
    run = Resumption(plans(home)["migrate"], home / "journal").run(Batch())
    assert outcomes([next(run) for _ in NAMES]) == "WWW"
    (home / "journal").unlink()
    (home / "journal").mkdir()
    with pytest.raises(LeftBehindError, match="journal: the journal cannot be removed: "):
        next(run)


def test_one_run_at_a_time(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "_PAUSES", 2)
    run = Resumption(plans(home)["migrate"], home / "journal").run(Batch())
    next(run)
    with pytest.raises(LockedError, match="another run"):
        resumed(home)
    assert outcomes(list(run)) == "WW"
    assert not (home / "journal").exists()
