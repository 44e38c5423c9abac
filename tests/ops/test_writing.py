"""Dry runs, and where the text of a session goes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import PNG
from sessionkit.errors import RefusedError
from sessionkit.ops.migrate import Migrated, Options
from sessionkit.ops.outputs import Existing
from sessionkit.ops.sources import STDIN
from sessionkit.ops.targets import Mirror, OneFile
from sessionkit.ops.writing import Effect, Writing
from tests.ops.runs import FIXTURES, error_of, message, migrate_all, migrate_one, mode, png, stamps, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.ops.runs import Result

REHEARSAL = Options(writing=Writing(Effect.REHEARSE))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def nothing(_session: Path, _out: Path) -> None:
    pass


def the_same(session: Path, out: Path) -> None:
    migrate_one(session, Mirror(out))


def an_older_one(session: Path, out: Path) -> None:
    migrate_one(session, Mirror(out))
    with session.open("ab") as file:
        file.write(message(png(7)))


def another_one(session: Path, out: Path) -> None:
    write(out / session.name, b"another\n")


def assets_without_the_session(session: Path, out: Path) -> None:
    migrate_one(session, Mirror(out))
    (out / session.name).unlink()
    (out / "images" / AssetName.of(png(0), PNG).file_name).write_bytes(b"torn")


def a_folder(session: Path, out: Path) -> None:
    (out / session.name).mkdir(parents=True)


def told(result: Result) -> object:
    """What a report may say of a result."""
    return (result.outcome, result.ledger, result.store) if isinstance(result, Migrated) else str(error_of([result]))


@pytest.mark.parametrize("before", [nothing, the_same, an_older_one, another_one, assets_without_the_session, a_folder])
@pytest.mark.parametrize("existing", list(Existing))
def test_a_dry_run_tells_the_same_and_writes_nothing(
    session: Path, out: Path, before: Callable[[Path, Path], None], existing: Existing
) -> None:  # fmt: skip
    before(session, out)
    stood = stamps(out.parent)
    [rehearsed] = migrate_all([session], Mirror(out), Options(writing=Writing(Effect.REHEARSE, existing)))
    assert stamps(out.parent) == stood
    [done] = migrate_all([session], Mirror(out), Options(writing=Writing(Effect.APPLY, existing)))
    assert told(rehearsed) == told(done)


def test_a_dry_run_of_all_sessions(out: Path) -> None:
    before = stamps(FIXTURES)
    rehearsed = migrate_all([FIXTURES], Mirror(out), REHEARSAL)
    assert not out.exists()
    assert stamps(FIXTURES) == before
    assert all(isinstance(result, Migrated) for result in rehearsed)


def test_a_dry_run_writes_nothing_to_standard_output(session: Path, workplace: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    before = stamps(workplace)
    assert migrate_one(session, OneFile(STDIN), REHEARSAL).ledger.sites == 3
    assert capfdbinary.readouterr().out == b""
    assert stamps(workplace) == before


def test_folders_are_made_where_they_are_missing(session: Path, out: Path) -> None:
    out.mkdir(0o755)
    migrate_one(session, OneFile(out / "deep" / "er" / "session.jsonl"))
    assert [mode(out), mode(out / "deep"), mode(out / "deep" / "er")] == [0o755, 0o700, 0o700]


def test_a_refused_session_leaves_no_temporary_file(session: Path, out: Path) -> None:
    another_one(session, out)
    assert isinstance(error_of(migrate_all([session], Mirror(out))), RefusedError)
    assert sorted(os.listdir(out)) == ["images", session.name]  # noqa: PTH208  names are enough
