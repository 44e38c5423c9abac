"""Whoever puts assets shares the lock of their store until what names them is published; nobody else needs it."""

from __future__ import annotations

import os
import shutil
import time
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.files import Durability
from sessionkit.core.stores import LockKind
from sessionkit.errors import LockedError
from sessionkit.ops import migrate, restore, segments
from sessionkit.ops.batch import Batch
from sessionkit.ops.failed import Failed
from sessionkit.ops.migrate import Plan
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.sources import find_one
from sessionkit.ops.targets import InPlace, Mirror
from sessionkit.ops.verify import Options as VerifyOptions
from sessionkit.ops.verify import verify
from sessionkit.ops.writing import Effect, Writing
from tests.holding import holding, take, waiting
from tests.ops import repairs
from tests.ops.runs import (
    FIXTURES,
    age,
    error_of,
    files,
    message,
    migrate_all,
    migrate_one,
    png,
    restore_all,
    restore_one,
    stamps,
    text,
    transfers,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NOT_WAITING = Writing(durability=Durability.NO_SYNC, lock_timeout=0)
QUICK = migrate.Options(writing=NOT_WAITING)
PATIENT = migrate.Options(writing=Writing(durability=Durability.NO_SYNC))
TWO = Batch(jobs=2, least=0)


@pytest.fixture
def native_session(tmp_path: Path) -> Path:
    """A session of the agent that keeps images in files, with one that is inline."""
    shutil.copytree(FIXTURES / "native" / "spilled", tmp_path / "native")
    path = tmp_path / "native" / "session.jsonl"
    path.write_bytes(path.read_bytes() + message(png(0)))
    return age(path)


@pytest.fixture
def spilled(session: Path, tmp_path: Path) -> Path:
    migrate_one(session, Mirror(tmp_path / "spilled"), QUICK)
    return tmp_path / "spilled" / session.name


def test_what_puts_nothing_waits_for_nobody(session: Path, spilled: Path, tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.jsonl", text(1000))
    with holding(spilled.parent / "images", LockKind.EXCLUSIVE):
        assert migrate_one(plain, Mirror(spilled.parent), QUICK).outcome is Outcome.WRITTEN
        migrate_one(session, Mirror(spilled.parent), migrate.Options(writing=Writing(Effect.REHEARSE, lock_timeout=0)))
        restore_one(spilled, Mirror(tmp_path / "back"), restore.Options(writing=NOT_WAITING))
        assert not [result for result in verify([find_one(str(spilled))], VerifyOptions(), Batch()) if isinstance(result, Failed)]
    assert (tmp_path / "back" / session.name).read_bytes() == session.read_bytes()


def migrated_again(session: Path) -> object:
    return error_of(migrate_all([session], Mirror(session.parent / "out"), QUICK))


def migrated_in_place(session: Path) -> object:
    return error_of(migrate_all([session], InPlace(), QUICK))


def restored_elsewhere(session: Path) -> object:
    return error_of(restore_all([session], Mirror(session.parent / "out"), restore.Options(writing=NOT_WAITING)))


@pytest.mark.parametrize("work", [migrated_again, migrated_in_place, restored_elsewhere])
def test_what_would_put_something_leaves_all_as_it_was(native_session: Path, work: Callable[[Path], object]) -> None:
    store = native_session.parent / ("images" if work is migrated_in_place else "out/images")
    store.mkdir(parents=True, exist_ok=True)
    before = stamps(native_session.parent)
    with holding(store, LockKind.EXCLUSIVE) as holder:
        error = work(native_session)
    assert isinstance(error, LockedError)
    assert holder.named.search(error.why)
    assert stamps(native_session.parent) == before


def test_a_repair_leaves_all_as_it_was(tmp_path: Path) -> None:
    """Also one that would keep no asset: a backup names assets that the session names no more."""
    (tmp_path / "images").mkdir()
    for session in (repairs.truncated(), repairs.wrong_label()):
        path = repairs.stored(tmp_path, session)
        before = stamps(tmp_path)
        with holding(tmp_path / "images", LockKind.EXCLUSIVE):
            assert isinstance(repairs.refused(path, repairs.options(writing=NOT_WAITING)), LockedError)
            repairs.repaired(path, repairs.options(writing=Writing(Effect.REHEARSE, lock_timeout=0)))
        assert stamps(tmp_path) == before
        repairs.repaired(path)
        path.unlink()


@pytest.fixture
def _short_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "LEAST", 1 << 20)


@pytest.fixture
def large(tmp_path: Path, _short_ranges: None) -> Path:
    """A session of three ranges, each with a picture near its begin."""
    return write(tmp_path / "home" / "large.jsonl", b"".join(message(png(number)) + text(1 << 20) for number in range(3)))


def is_locked(folder: Path) -> bool:
    try:
        take(folder, LockKind.EXCLUSIVE)
    except LockedError:
        return True
    return False


def test_a_session_in_ranges_is_locked_until_it_is_joined(large: Path, tmp_path: Path) -> None:
    """And that by one process: its workers need no further locks."""
    out = tmp_path / "out"
    seen = []

    def look(_size: int) -> None:
        [line] = (out / "images" / ".lock").read_text().splitlines()
        seen.append((is_locked(out / "images"), (out / large.name).exists(), line.split()[1]))

    [_] = Plan(transfers([large], Mirror(out)), QUICK).run(Batch(jobs=2, least=0, progress=look))
    assert set(seen) == {(True, False, f"pid={os.getpid()}")}
    assert not is_locked(out / "images")
    assert (out / large.name).exists()


def test_a_session_in_ranges_whose_store_is_not_to_be_had_fails_as_a_whole(large: Path, tmp_path: Path) -> None:
    (tmp_path / "out" / "images").mkdir(parents=True)
    with holding(tmp_path / "out" / "images", LockKind.EXCLUSIVE):
        error = error_of(migrate_all([large], Mirror(tmp_path / "out"), QUICK, TWO))
    assert isinstance(error, LockedError)
    assert set(files(tmp_path / "out")) <= {"images/.lock"}


def test_a_run_leaves_no_lock_in_any_store(session: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / "home" / name / "a.jsonl", session.read_bytes())
    migrate_all([tmp_path / "home"], Mirror(tmp_path / "out"), QUICK)
    assert len(list((tmp_path / "out").rglob("images"))) == 3
    assert list((tmp_path / "out").rglob(".lock")) == []


@pytest.mark.usefixtures("_short_ranges")
def test_a_large_session_without_media_leaves_no_store(tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.jsonl", text(3 << 20))
    migrate_one(plain, Mirror(tmp_path / "out"), QUICK, TWO)
    assert list(files(tmp_path / "out")) == [plain.name]
    assert not (tmp_path / "out" / "images").exists()


def test_who_waits_for_the_store_alone_stops_no_run_that_has_begun(large: Path, session: Path, tmp_path: Path) -> None:
    """Its ranges need no further lock, and its other sessions are let pass."""
    out = tmp_path / "out"
    with holding(out / "images", LockKind.SHARED) as holder, waiting(out / "images", LockKind.EXCLUSIVE) as waiter:
        time.sleep(0.3)
        migrate_one(large, Mirror(out), QUICK, TWO)
        migrate_one(session, Mirror(out), PATIENT)
        holder.end()
        waiter.wait()
