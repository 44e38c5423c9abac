"""The runs that faults are done to: what stands on the disk before, what is run, what may stand there after."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.core.files import is_temporary
from tests.system.sessions import (
    OLD_TIME,
    SPILLED,
    assets_of,
    do,
    files_below,
    image_line,
    leftovers,
    png,
    require_whole_assets,
    session_of,
    temporary_of_the_dead,
    write_session,
)

if TYPE_CHECKING:
    from collections.abc import Callable

ONE, TWO = png(1), png(2)
INLINE = session_of((ONE, TWO))
NATIVE = (SPILLED / "session.jsonl").read_bytes() + image_line(ONE, 1) + image_line(TWO, 2)


@dataclass(frozen=True)
class Scene:
    """A command, and the session that it reads and writes. `old` and `new` are the texts of the target: either may stand there, whole."""

    root: Path
    command: tuple[str | Path, ...]
    source: Path
    target: Path
    old: bytes | None
    new: bytes

    @property
    def text(self) -> bytes | None:
        return self.target.read_bytes() if self.target.exists() else None

    def require_whole(self) -> None:
        """The old text or the new one, with all its assets; and the source is as it was."""
        assert self.text in {self.old, self.new}
        spilled = self.target if self.command[0] == "migrate" else self.source
        store = spilled.parent / "images"
        require_whole_assets(store)
        if spilled.exists():
            assert assets_of(spilled.read_bytes()) <= {path.name for path in files_below(store)}

    def finish(self) -> None:
        """Run undisturbed: the new text must stand there, with the time of the source, and no temporary file."""
        do(*self.command)
        assert self.text == self.new
        assert self.target.stat().st_mtime_ns == OLD_TIME
        assert leftovers(self.root) == []
        self._require_original()

    def _require_original(self) -> None:
        """The session as its agent wrote it: what was restored, or what can be."""
        back = self.target
        if self.command[0] == "migrate":
            back = self.root / "back.jsonl"
            do("restore", self.target, "-o", back)
        assert back.read_bytes() == (NATIVE if self.source == self.target else INLINE)

    def photograph(self) -> dict[Path, tuple[bytes, int, int]]:
        """Content, time and mode of every file but assets and temporary files."""
        kept = [path for path in files_below(self.root) if path.parent.name != "images" and not is_temporary(path.name)]
        return {path: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode) for path in kept}


def migrate_out(root: Path) -> Scene:
    """Into a folder that is not there."""
    source = write_session(root / "source" / "session.jsonl", INLINE)
    return _scene(root, ("migrate", source, "--out", root / "spilled"), (source, root / "spilled" / source.name))


def migrate_out_again(root: Path) -> Scene:
    """Over what an earlier run wrote, before the session grew: one asset is there already."""
    source = write_session(root / "source" / "session.jsonl", INLINE.removesuffix(image_line(TWO, 1)))
    target = root / "spilled" / source.name
    do("migrate", source, "--out", target.parent)
    write_session(source, INLINE)
    return _scene(root, ("migrate", source, "--out", target.parent), (source, target))


def migrate_in_place(root: Path) -> Scene:
    """A session that has files of its agent's own, and new images inline."""
    shutil.copytree(SPILLED / "images", root / "images")
    session = write_session(root / "session.jsonl", NATIVE)
    return _scene(root, ("migrate", session, "--in-place"), (session, session))


def migrate_unchanged(root: Path) -> Scene:
    """A second time, which changes nothing."""
    scene = migrate_out(root)
    do(*scene.command)
    return _scene(root, scene.command, (scene.source, scene.target))


def restore_out(root: Path) -> Scene:
    """Over what an earlier run restored, before the session grew."""
    source = root / "spilled" / "session.jsonl"
    inline = write_session(root / "source" / "session.jsonl", INLINE)
    do("migrate", inline, "--out", source.parent)
    write_session(root / "restored" / "session.jsonl", INLINE.removesuffix(image_line(TWO, 1)))
    return _scene(root, ("restore", source, "--out", root / "restored"), (source, root / "restored" / source.name))


def restore_in_place(root: Path) -> Scene:
    """A session with references of its agent's own, which stay."""
    scene = migrate_in_place(root)
    do(*scene.command)
    return _scene(root, ("restore", scene.source, "--in-place"), (scene.source, scene.source))


SCENES: dict[str, Callable[[Path], Scene]] = {
    "migrate --out": migrate_out,
    "migrate --out again": migrate_out_again,
    "migrate --out unchanged": migrate_unchanged,
    "migrate --in-place": migrate_in_place,
    "restore --out": restore_out,
    "restore --in-place": restore_in_place,
}


def _scene(root: Path, command: tuple[str | Path, ...], paths: tuple[Path, Path]) -> Scene:
    """Rehearse the run in a copy to know the new text, then stage what killed runs would have left."""
    source, target = paths
    old = target.read_bytes() if target.exists() else None
    twin = Path(shutil.copytree(root, root.with_name(f"{root.name}-twin")))
    do(*(twin / word.relative_to(root) if isinstance(word, Path) else word for word in command))
    new = (twin / target.relative_to(root)).read_bytes()
    shutil.rmtree(twin)
    written = (target.parent, target.parent / "images") if command[0] == "migrate" else (target.parent,)
    for folder in written:
        if folder.is_dir():
            (folder / temporary_of_the_dead()).write_bytes(b"half")
    return Scene(root, command, source, target, old, new)
