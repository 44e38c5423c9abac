"""Repairs that faults are done to: what stands on the disk before, what is run, what may stand there after."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sessionkit.cli.app import run
from sessionkit.core.files import is_temporary
from sessionkit.errors import ExitCode
from tests.faults.workshop import Session
from tests.pictures import picture
from tests.system.sessions import OLD_TIME, do, files_below, leftovers, require_whole_assets, temporary_of_the_dead, write_session
from tests.system.strace import run_traced

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.system.strace import Call

_SOUND = Session.recorded("pi/session")
SOUND = _SOUND.content
ILL = _SOUND.with_text(0, _SOUND.picture(0)[0].text[:200]).with_label(2, "image/gif").with_image(4, picture("PNG", size=(8200, 20))).content
"""A picture that ends too early, a label that is wrong, a picture that is too large."""
_is_of_repair = re.compile(r"session\.jsonl\.repair-\d{8}T\d{6}Z\.(bak|json)").fullmatch


@dataclass(frozen=True)
class Repair:
    """A command that replaces a session: `old` and `new` are its texts, either of which may stand there, whole."""

    root: Path
    command: tuple[str | Path, ...]
    old: bytes
    new: bytes

    @property
    def session(self) -> Path:
        return self.root / "session.jsonl"

    @property
    def backups(self) -> list[bytes]:
        return [path.read_bytes() for path in sorted(self.root.glob("*.bak"))]

    def require_whole(self) -> None:
        """One of the texts stands there with its assets; and the bad text is never lost."""
        text = self.session.read_bytes()
        assert text in {self.old, self.new}
        assert text == ILL or ILL in self.backups
        if (self.root / "images").exists():
            require_whole_assets(self.root / "images")

    def finish(self) -> None:
        """Run undisturbed: the new text must stand there, and the way back must be open."""
        if "--undo" not in self.command:
            do(*self.command)
        elif self.session.read_bytes() != self.new or self.backups:
            assert run([*map(str, self.command), "--quiet"]) is ExitCode.OK
        assert self.session.read_bytes() == self.new
        assert self.session.stat().st_mtime_ns == OLD_TIME
        assert leftovers(self.root) == []
        if "--undo" in self.command:
            assert self.backups == []
            return
        do("repair", self.session, "--undo")
        assert self.session.read_bytes() == ILL

    def photograph(self) -> dict[str, tuple[bytes, int, int]]:
        """Content, time and mode of every file but assets, temporary files, and what is about a repair."""
        kept = [path for path in files_below(self.root) if path.parent.name != "images" and not is_temporary(path.name)]
        return {path.name: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode) for path in kept}


def first_repair(root: Path) -> Repair:
    """Nothing stands beside the session."""
    return _staged(root, "--apply", ILL, cured())


def repair_again(root: Path) -> Repair:
    """The repair was undone: its asset is there, and the backup of another one."""
    write_session(root / "session.jsonl", ILL)
    do("repair", root / "session.jsonl", "--apply")
    do("repair", root / "session.jsonl", "--undo")
    (root / "session.jsonl.repair-20200101T000000Z.bak").write_bytes(b"another")
    return _staged(root, "--apply", ILL, cured())


def undo(root: Path) -> Repair:
    write_session(root / "session.jsonl", ILL)
    do("repair", root / "session.jsonl", "--apply")
    return _staged(root, "--undo", cured(), ILL)


REPAIRS: dict[str, Callable[[Path], Repair]] = {"repair": first_repair, "repair again": repair_again, "undo": undo}


@cache
def cured() -> bytes:
    with TemporaryDirectory() as folder:
        session = write_session(Path(folder) / "session.jsonl", ILL)
        do("repair", session, "--apply")
        return session.read_bytes()


def _staged(root: Path, switch: str, old: bytes, new: bytes) -> Repair:
    session = write_session(root / "session.jsonl", old)
    (root / temporary_of_the_dead()).write_bytes(b"half")
    return Repair(root, ("repair", session, switch), old, new)


@cache
def calls_of(name: str) -> tuple[Call, ...]:
    """Calls on files of ours in an undisturbed run."""
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "root"
        root.mkdir()
        ran = run_traced(REPAIRS[name](root).command, root)
    assert ran.code == 0, ran.stderr
    return tuple(ran.calls)
