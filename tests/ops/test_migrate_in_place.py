"""Migrating in place: only where the agent reads references, never under its hands, and no line is lost."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import ChangedError, InUseError, RefusedError, SessionkitError
from sessionkit.ops.batch import Batch
from sessionkit.ops.guards import Force, Liveness
from sessionkit.ops.migrate import Options
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.targets import InPlace, Mirror
from sessionkit.ops.writing import Effect, Writing
from tests.ops.runs import (
    FIXTURES,
    SESSIONS,
    age,
    case_of,
    error_of,
    files,
    message,
    migrate_all,
    migrate_one,
    mode,
    png,
    restore_one,
    stamps,
    text,
    write,
)

if TYPE_CHECKING:
    from pathlib import Path

LATE = b'{"message":{"role":"user","content":"late"}}\n'
LIVE = Options(writing=Writing(liveness=Liveness.ACCEPT))
FORCE = Options(force=Force.PLAIN_FILES)
HOLD = 'import sys; file = open(sys.argv[1], "a"); print("ready", flush=True); sys.stdin.read()'


@pytest.fixture
def native(tmp_path: Path) -> Path:
    """A session of the agent that spills by itself, with its images, and three MB of inline ones that came later."""
    shutil.copytree(FIXTURES / "native" / "spilled", tmp_path / "native")
    path = tmp_path / "native" / "session.jsonl"
    with path.open("ab") as file:
        file.write(message(png(0)) + text(3 << 20) + message(png(1), png(0)))
    path.chmod(0o640)
    return age(path)


def test_a_session_of_an_agent_that_reads_references(native: Path) -> None:
    inline, before = native.read_bytes(), native.stat()
    images = files(native.parent / "images")
    result = migrate_one(native, InPlace())
    assert (result.outcome, result.ledger.sites, result.store) == (Outcome.WRITTEN, 3, native.parent / "images")
    assert (mode(native), native.stat().st_mtime_ns) == (0o640, before.st_mtime_ns)
    assert set(files(native.parent / "images").values()) == {*images.values(), png(0), png(1)}
    assert native.read_bytes().count(b'"asset_field":"data"') == 3
    restore_one(native, InPlace())
    assert native.read_bytes() == inline


def test_again_changes_nothing(native: Path) -> None:
    migrate_one(native, InPlace())
    before = stamps(native.parent)
    assert migrate_one(native, InPlace()).outcome is Outcome.UNCHANGED
    assert stamps(native.parent) == before


@pytest.mark.parametrize("path", [path for path in SESSIONS if path.parts[-2] != "spilled"], ids=case_of)
@pytest.mark.parametrize("options", [Options(), FORCE], ids=["", "force"])
def test_other_agents_would_lose_their_images(tmp_path: Path, path: Path, options: Options) -> None:
    session = write(tmp_path / "session.jsonl", path.read_bytes())
    before = stamps(tmp_path)
    if options is FORCE and path.parts[-3] == "plain":
        migrate_one(session, InPlace(), options)
        assert (tmp_path / "images").is_dir()
        restore_one(session, InPlace())
        assert session.read_bytes() == path.read_bytes()
        return
    error = error_of(migrate_all([session], InPlace(), options))
    assert isinstance(error, RefusedError)
    assert "references" in error.why or "without its data" in error.why
    assert stamps(tmp_path) == before


def test_a_link_to_a_session_stays_one(native: Path) -> None:
    link = native.with_name("link.jsonl")
    link.symlink_to(native.name)
    migrate_one(link, InPlace())
    assert link.is_symlink()
    assert b"asset_field" in native.read_bytes()


@pytest.mark.parametrize("effect", list(Effect))
def test_a_young_session_is_left_alone_unless_one_knows_better(native: Path, effect: Effect) -> None:
    age(native, 1)
    before = stamps(native.parent)
    assert isinstance(error_of(migrate_all([native], InPlace(), Options(writing=Writing(effect)))), InUseError)
    assert stamps(native.parent) == before
    assert migrate_one(native, InPlace(), LIVE).outcome is Outcome.WRITTEN


@pytest.mark.parametrize(("options", "kind"), [(Options(), InUseError), (LIVE, ChangedError)], ids=["", "live"])
def test_an_open_session_is_left_alone(native: Path, options: Options, kind: type[SessionkitError]) -> None:
    """To know better helps only where nobody can be seen."""
    with subprocess.Popen([sys.executable, "-c", HOLD, native], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        before = stamps(native.parent)[native.name]
        error = error_of(migrate_all([native], InPlace(), options))
        assert isinstance(error, kind)
        assert "open for writing" in error.why
        assert stamps(native.parent)[native.name] == before
        process.communicate()
    migrate_one(native, InPlace())


def test_only_a_change_in_place_asks_for_the_agent(native: Path, tmp_path: Path) -> None:
    age(native, 0)
    assert migrate_one(native, Mirror(tmp_path / "out")).outcome is Outcome.WRITTEN


@pytest.mark.parametrize("options", [Options(), LIVE], ids=["", "live"])
@pytest.mark.parametrize("blocks", [0, 1, 2])
def test_a_line_that_is_appended_meanwhile_is_never_lost(native: Path, options: Options, blocks: int) -> None:
    """The agent writes when some blocks are done; it opens the file for that moment only."""
    inline, ticks = native.read_bytes(), iter(range(100))

    def agent(_size: int) -> None:
        if next(ticks) == blocks:
            with native.open("ab") as file:
                file.write(LATE)

    error = error_of(migrate_all([native], InPlace(), options, Batch(progress=agent)))
    assert isinstance(error, ChangedError)
    assert native.read_bytes() == inline + LATE
    assert not [name for name in files(native.parent) if ".sessionkit" in name]
    migrate_one(native, InPlace(), LIVE)
    assert native.read_bytes().endswith(LATE)


@pytest.mark.parametrize("options", [Options(), LIVE], ids=["", "live"])
def test_a_session_that_is_replaced_meanwhile_wins(native: Path, options: Options) -> None:
    other = write(native.with_name("other"), LATE)

    def agent(_size: int) -> None:
        if other.exists():
            other.rename(native)

    assert isinstance(error_of(migrate_all([native], InPlace(), options, Batch(progress=agent))), ChangedError)
    assert native.read_bytes() == LATE
