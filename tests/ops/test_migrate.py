"""Migrating to a mirror: the media leave, everything else stays, and again changes nothing."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.base64 import encode
from sessionkit.core.files import Durability
from sessionkit.core.media.policy import Choice, Policy
from sessionkit.core.sniff import PNG
from sessionkit.errors import ChangedError, RefusedError, UnreadableError
from sessionkit.ops import restore
from sessionkit.ops.batch import Batch
from sessionkit.ops.migrate import Options
from sessionkit.ops.outputs import Existing, Outcome
from sessionkit.ops.targets import Mirror
from sessionkit.ops.writing import Writing
from tests.ops.runs import (
    FIXTURES,
    SESSIONS,
    age,
    case_of,
    die_writing,
    error_of,
    files,
    message,
    migrate_all,
    migrate_one,
    mode,
    png,
    restore_all,
    restore_one,
    stamps,
    text,
    write,
)

if TYPE_CHECKING:
    from pathlib import Path

BASE64 = re.compile(rb"[A-Za-z0-9+/]{512,}")
RUN = re.compile(rb'"asset_path":"images/([0-9a-f]{64})\.[a-z]+"(?:,"[a-z_]+":(?:[0-9]+|"[^"]*"|null))*?,"asset_field":(?:"[^"]*"|null)')
QUICK = Options(writing=Writing(durability=Durability.NO_SYNC))
FORCE = Options(writing=Writing(existing=Existing.REPLACE))
AGENTS = pytest.mark.parametrize("path", SESSIONS, ids=case_of)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@AGENTS
def test_no_base64_is_left_and_what_stands_for_it_is_short(path: Path, out: Path) -> None:
    ledger = migrate_one(path, Mirror(out)).ledger
    spilled = (out / path.name).read_bytes()
    runs = list(RUN.finditer(spilled))
    assert not BASE64.search(spilled)
    assert len(runs) == ledger.sites
    assert all(len(run[0]) <= 200 for run in runs)
    assert {run[1].decode() for run in runs} == {name.digest for name in ledger.assets}
    assert (ledger.read, ledger.written, ledger.notes) == (path.stat().st_size, len(spilled), [])


@AGENTS
def test_every_asset_is_named_by_the_hash_of_its_content(path: Path, out: Path) -> None:
    migrate_one(path, Mirror(out))
    for asset in (out / "images").glob("*"):
        assert hashlib.sha256(asset.read_bytes()).hexdigest() == asset.stem


@AGENTS
def test_restoring_gives_back_the_source(path: Path, out: Path, tmp_path: Path) -> None:
    migrated = migrate_one(path, Mirror(out))
    restored = restore_one(out / path.name, Mirror(tmp_path / "back"))
    assert (tmp_path / "back" / path.name).read_bytes() == path.read_bytes()
    assert restored.ledger.references == migrated.ledger.sites
    assert restored.ledger.written == path.stat().st_size


@pytest.fixture(params=["[!f]*/", pytest.param("faults", marks=pytest.mark.system)])
def sources(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder of all fixtures of a name; those of `faults` weigh ten times as much as all others."""
    for folder in FIXTURES.glob(request.param):
        shutil.copytree(folder, tmp_path / "sources" / folder.name)
    return tmp_path / "sources"


def test_a_whole_folder_at_once_and_again(sources: Path, out: Path, tmp_path: Path) -> None:
    before, everything = stamps(sources), Batch(jobs=2, least=0)
    migrate_all([sources], Mirror(out), QUICK, everything)
    sessions, assets = stamps(out), files(out)
    again = migrate_all([sources], Mirror(out), QUICK, everything)
    assert {getattr(result, "outcome", result) for result in again} == {Outcome.UNCHANGED}
    assert files(out) == assets
    assert {name: stamp for name, stamp in stamps(out).items() if "images/" not in name}.items() <= sessions.items()
    assert {name: stamp[0] for name, stamp in stamps(out).items()} == {name: stamp[0] for name, stamp in sessions.items()}
    assert stamps(sources) == before
    restore_all([out], Mirror(tmp_path / "back"), restore.Options(writing=QUICK.writing), everything)
    for path in sources.rglob("*.jsonl"):
        if b"asset_field" not in path.read_bytes():
            assert (tmp_path / "back" / path.relative_to(sources)).read_bytes() == path.read_bytes()


@AGENTS
def test_a_spilled_session_moves_with_its_assets(path: Path, out: Path, tmp_path: Path) -> None:
    migrate_one(path, Mirror(out))
    ledger = migrate_one(out / path.name, Mirror(tmp_path / "twice")).ledger
    assert files(tmp_path / "twice") == files(out)
    assert (ledger.sites, ledger.notes) == (0, [])


def test_a_lost_asset_of_a_spilled_session_is_noted(session: Path, out: Path, tmp_path: Path) -> None:
    migrate_one(session, Mirror(out))
    (out / "images" / AssetName.of(png(1), PNG).file_name).write_bytes(b"torn")
    ledger = migrate_one(out / session.name, Mirror(tmp_path / "twice")).ledger
    assert [(note.line, note.pointer, note.cause) for note in ledger.notes] == [
        (2, "/content/0", "the asset of a reference is missing or corrupt"),
    ]
    assert (tmp_path / "twice" / session.name).read_bytes() == (out / session.name).read_bytes()
    assert [png(0)] == list(files(tmp_path / "twice" / "images").values())


def test_very_many_spilled_sessions_do_not_use_up_the_open_files(session: Path, tmp_path: Path) -> None:
    migrate_one(session, Mirror(tmp_path / "out"))
    for number in range(60):
        shutil.copy(tmp_path / "out" / session.name, tmp_path / "out" / f"{number}.jsonl")
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208  names are enough
    results = migrate_all([tmp_path / "out"], Mirror(tmp_path / "twice"), QUICK)
    assert {getattr(result, "outcome", result) for result in results} == {Outcome.WRITTEN}
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208  the same


def test_the_same_picture_in_two_spellings_of_json_is_one_asset(tmp_path: Path, out: Path) -> None:
    base64 = encode(png(0))
    spellings = [
        b'{"type":"image","data":"%b"}',
        b'{ "data" : "%b" , "type" : "image" }\r',
        rb'{"type":"im\u0061ge","\u0064ata":"%b"}',
        b'{"image_url":{"url":"data:image/png;base64,%b"}}',
        b'["DATA:image/jpeg;BASE64,%b"]',
    ]
    session = write(tmp_path / "session.jsonl", b"\n".join(spelling % base64 for spelling in spellings))
    assert migrate_one(session, Mirror(out)).ledger.sites == len(spellings)
    assert [asset.read_bytes() for asset in (out / "images").iterdir()] == [png(0)]
    restore_one(out / session.name, Mirror(tmp_path / "back"))
    assert (tmp_path / "back" / session.name).read_bytes() == session.read_bytes()


@pytest.mark.parametrize("modes", [(0o600, 0o600, 0o700), (0o400, 0o600, 0o700), (0o644, 0o644, 0o755), (0o640, 0o640, 0o750)])
@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_assets_are_private_unless_the_session_is_not(tmp_path: Path, out: Path, umask: int, modes: tuple[int, int, int]) -> None:
    source = write(tmp_path / "session.jsonl", message(png(0)), modes[0])
    before = os.umask(umask)
    try:
        migrate_one(source, Mirror(out / "deep"))
        restore_one(out / "deep" / source.name, Mirror(tmp_path / "back"))
    finally:
        os.umask(before)
    spilled = out / "deep" / source.name
    [image] = (out / "deep" / "images").iterdir()
    assert [mode(path) for path in (spilled, image, image.parent, out, out / "deep")] == [*modes, modes[2], modes[2]]
    for copy in (spilled, tmp_path / "back" / source.name):
        assert (mode(copy), copy.stat().st_mtime_ns) == (modes[0], source.stat().st_mtime_ns)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_is_kept(session: Path, out: Path) -> None:
    os.chown(session, 12345, 54321)
    migrate_one(session, Mirror(out))
    status = (out / session.name).stat()
    assert (status.st_uid, status.st_gid) == (12345, 54321)


@pytest.mark.parametrize("options", [Options(), FORCE])
def test_another_file_at_the_target_is_replaced_only_with_force(session: Path, out: Path, options: Options) -> None:
    target = write(out / session.name, b'{"another":"session"}\n')
    before = stamps(target.parent)[target.name]
    [result] = migrate_all([session], Mirror(out), options)
    if options is FORCE:
        assert target.read_bytes().startswith(b'{"role"')
    else:
        assert isinstance(error_of([result]), RefusedError)
        assert stamps(out)[target.name] == before


def test_a_session_that_grew_is_migrated_again(session: Path, out: Path) -> None:
    migrate_one(session, Mirror(out))
    with session.open("ab") as file:
        file.write(message(png(2)))
    assert migrate_one(session, Mirror(out)).outcome is Outcome.WRITTEN
    assert (out / session.name).read_bytes().count(b"asset_path") == 4


def test_a_session_that_was_rewritten_is_not(session: Path, out: Path) -> None:
    migrate_one(session, Mirror(out))
    session.write_bytes(message(png(2)))
    assert isinstance(error_of(migrate_all([session], Mirror(out))), RefusedError)


@pytest.mark.parametrize("size", [0, 5 << 20])
def test_a_source_that_grows_meanwhile_is_not_published(tmp_path: Path, out: Path, size: int) -> None:
    session = write(tmp_path / "session.jsonl", message(png(0)) + text(size))

    def append(_size: int) -> None:
        with session.open("ab") as file:
            file.write(b'{"role":"user"')

    error = error_of(migrate_all([session], Mirror(out), batch=Batch(progress=append)))
    assert isinstance(error, ChangedError)
    assert [name for name in files(out) if "images/" not in name] == []


def test_one_bad_session_does_not_stop_the_others(session: Path, out: Path) -> None:
    (session.parent / "broken.jsonl").symlink_to("gone")
    results = migrate_all([session.parent], Mirror(out))
    assert isinstance(error_of(results[:1]), UnreadableError)
    assert (out / session.name).exists()


@pytest.mark.parametrize(("policy", "sites"), [(Policy(), 3), (Policy(choice=Choice.IMAGES), 2), (Policy(least=1 << 20), 0)])
def test_what_was_not_chosen_is_counted_and_stays(tmp_path: Path, out: Path, policy: Policy, sites: int) -> None:
    session = write(tmp_path / "session.jsonl", message(png(0), png(1), b"%PDF-1.7 a document"))
    ledger = migrate_one(session, Mirror(out), Options(policy)).ledger
    assert (ledger.sites, ledger.passed_over, ledger.notes) == (sites, 3 - sites, [])
    assert (out / session.name).read_bytes().count(b'"data":') == 3 - sites


def test_what_stays_is_noted_with_its_place(tmp_path: Path, out: Path) -> None:
    torn = message(png(1))[:-30]
    spoilt = message(png(0)).replace(b"iVBOR", rb"iVB\nOR")
    session = write(tmp_path / "session.jsonl", message(png(0)) + text(3 << 20) + spoilt + torn)
    last = session.read_bytes().count(b"\n") + 1
    ledger = migrate_one(session, Mirror(out)).ledger
    assert [(note.line, note.pointer) for note in ledger.notes] == [(last - 1, "/content/0/data"), (last, "")]
    assert ledger.lines == last - 1
    assert (out / session.name).read_bytes().endswith(spoilt + torn)


def test_leftovers_of_killed_runs_are_removed(session: Path, out: Path) -> None:
    migrate_one(session, Mirror(out))
    whole = files(out)
    die_writing(out, out / "images")
    assert len(files(out)) == len(whole) + 2
    migrate_one(session, Mirror(out))
    assert files(out) == whole


def test_files_of_runs_that_live_are_left_alone(session: Path, out: Path) -> None:
    alive = out / f".sessionkit-{os.getpid()}-0123456789abcdef"
    write(alive, b"half")
    migrate_one(session, Mirror(out))
    assert alive.exists()


def test_an_old_mirror_is_known_by_its_bytes_alone(session: Path, out: Path, tmp_path: Path) -> None:
    migrate_one(session, Mirror(out))
    shutil.copytree(out, tmp_path / "copy")
    before = stamps(tmp_path / "copy")[session.name]
    age(session, 10)
    assert migrate_one(session, Mirror(tmp_path / "copy")).outcome is Outcome.UNCHANGED
    assert stamps(tmp_path / "copy")[session.name] == before
