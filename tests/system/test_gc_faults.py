"""Kill or fail a collection, its undoing and a purge at each of the system calls by which they change the disk."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import PNG
from sessionkit.errors import ExitCode
from tests.system.sessions import do, files_below, leftovers, png, session_of, write_session
from tests.system.strace import Call, Ran, run_traced

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.system

NAMED = [png(1), png(2)]
ORPHANS = [png(3), png(4), png(5)]
COMMANDS = {
    "gc": ("--grace", "0", "--apply"),
    "undo": ("--undo",),
    "purge": ("--purge-trash", "--older-than", "0", "--apply"),
}
ERRORS = ("ENOSPC", "EIO", "EROFS")

_STAMP = re.compile(r"[0-9]{8}T[0-9]{6}Z")


@dataclass(frozen=True)
class Fault:
    scene: str
    call: Call
    deed: str

    def __str__(self) -> str:
        return f"{self.scene}: {self.deed} at {self.call}"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Look for the calls only where these tests are wanted: that takes seconds."""
    if "not system" in metafunc.config.option.markexpr:
        return
    match metafunc.fixturenames:
        case [*_, "killing"]:
            metafunc.parametrize("killing", list(faults(3, "signal=SIGKILL")), ids=str)
        case [*_, "failure"]:
            metafunc.parametrize("failure", list(faults(2, *(f"error={name}" for name in ERRORS))), ids=str)


def faults(turns: int, *deeds: str) -> Iterator[Fault]:
    for scene in COMMANDS:
        for call in calls_of(scene):
            if call.turn <= turns:
                yield from (Fault(scene, call, deed) for deed in deeds)


@cache
def calls_of(scene: str) -> tuple[Call, ...]:
    """Calls of an undisturbed run; not those that open a file in a trash, whose folder is called otherwise in every run."""
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "root"
        ran = run_traced(staged(scene, root), root)
    assert ran.code == 0, ran.stderr
    return tuple(anonymous(call) for call in ran.calls if not _STAMP.search(call.folder))


def anonymous(call: Call) -> Call:
    return replace(call, target=_STAMP.sub("TIME", call.target))


def staged(scene: str, root: Path) -> tuple[str | Path, ...]:
    """Let two pictures be named and three not, and the three be in the trash where the scene is about that."""
    inline = write_session(root / "source" / "session.jsonl", session_of((*NAMED, *ORPHANS)))
    do("migrate", inline, "--out", root / "spilled")
    whole = (root / "spilled" / "session.jsonl").read_bytes().splitlines(keepends=True)
    write_session(root / "spilled" / "session.jsonl", b"".join(whole[: -len(ORPHANS)]))
    if scene != "gc":
        do("gc", root / "spilled", *COMMANDS["gc"])
    return ("gc", root / "spilled", *COMMANDS[scene])


def assets(pictures: list[bytes]) -> set[str]:
    return {AssetName.of(picture, PNG).file_name for picture in pictures}


def require_nothing_lost(root: Path, scene: str) -> None:
    """What the session names is in the store; each orphan is there or in the trash, whose manifest names it; all are whole."""
    store = root / "spilled" / "images"
    stored = {path.name for path in store.glob("*.png")}
    trashed = list((store / ".trash").glob("*/*.png"))
    assert assets(NAMED) <= stored
    if scene != "purge":
        assert assets(ORPHANS) <= stored | {path.name for path in trashed}
    for path in (*store.glob("*.png"), *trashed):
        assert AssetName.of(path.read_bytes(), PNG).file_name == path.name
    for path in trashed:
        manifest = json.loads((path.parent / "manifest.json").read_text())
        assert f"images/{path.name}" in {asset["asset"] for asset in manifest["assets"]}


def finish(root: Path, scene: str) -> None:
    """Undo what was done, if anything was, and let everything come to its end."""
    spilled = root / "spilled"
    if list((spilled / "images" / ".trash").glob("*/*.png")):
        do("gc", spilled, "--undo")
    require_nothing_lost(root, scene)
    do("gc", spilled, *COMMANDS["gc"])
    assert {path.name for path in (spilled / "images").glob("*.png")} == assets(NAMED)
    do("gc", spilled, *COMMANDS["purge"])
    do("gc", spilled, "--apply")
    assert {path.name for path in files_below(spilled)} - {".lock"} == assets(NAMED) | {"session.jsonl"}
    assert leftovers(root) == []


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path.resolve() / "root"


def test_killed_at_any_call_it_loses_nothing(root: Path, killing: Fault) -> None:
    ran = run_into(killing, root)
    assert ran.code == -signal.SIGKILL
    require_nothing_lost(root, killing.scene)
    finish(root, killing.scene)


def test_an_error_of_the_system_loses_nothing(root: Path, failure: Fault) -> None:
    ran = run_into(failure, root)
    if ran.code == ExitCode.OK:  # what cannot be tidied up can wait, and so can a time
        assert failure.call.name in {"unlinkat", "utimensat", "unlink"}
    else:
        assert ran.code == ExitCode.FAILED
        assert os.strerror(getattr(errno, failure.deed.removeprefix("error="))).lower() in ran.stderr.lower()
        if failure.scene == "gc":
            assert {path.name for path in (root / "spilled/images").glob("*.png")} == assets(NAMED + ORPHANS)
    require_nothing_lost(root, failure.scene)
    finish(root, failure.scene)


def run_into(fault: Fault, root: Path) -> Ran:
    command = staged(fault.scene, root)
    counted = ("-P", str(root / fault.call.folder)) if fault.call.folder else ()
    ran = run_traced(command, root, "-e", f"inject={fault.call.name}:{fault.deed}:when={fault.call.when}", *counted)
    assert fault.call in map(anonymous, ran.calls)
    return ran
