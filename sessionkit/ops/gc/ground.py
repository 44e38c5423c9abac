"""Where a collection looks: folders of sessions, and more files and folders that may name their assets."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.core.assets import FOLDER
from sessionkit.dataclass import dataclass
from sessionkit.errors import Place, UnreadableError, UsageError
from sessionkit.ops.gc.folders import Choice, Reach, walk
from sessionkit.ops.roots import root_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.ops.gc.folders import Folder
    from sessionkit.ops.roots import Root


@dataclass(frozen=True, slots=True)
class Ground:
    """Folders to collect in, and roots elsewhere."""

    folders: tuple[Path, ...]
    elsewhere: tuple[Path, ...]

    def require(self) -> None:
        """Raise UnreadableError for what is not there, UsageError for a file where a folder is meant."""
        for path in (*self.folders, *self.elsewhere):
            if not os.path.exists(path):  # noqa: PTH110  Path.exists raises for names that are too long
                raise UnreadableError("cannot be read", place=Place(str(path)), why="no such file or directory", hint="check the path")
        for path in self.folders:
            if not path.is_dir():
                hint = "name the folder that it is in; with --root a single file counts too"
                raise UsageError("this is no folder", place=Place(str(path)), hint=hint)

    def visit(self) -> Iterator[Folder]:
        """Walk through the folders; UnreadableError."""
        for folder in self.folders:
            yield from walk(str(folder), Choice.BY_NAME)

    def roots(self) -> Iterator[Root]:
        """Find all roots, by their paths as they are now; UnreadableError."""
        for folder in self.visit():
            yield from folder.roots
        for path in self.elsewhere:
            if path.is_dir():
                for folder in walk(str(path), Choice.ALL):
                    yield from folder.roots
            else:
                yield root_of(str(path))


@dataclass(frozen=True, slots=True)
class Sights:
    """What a walk has seen: stores beside roots, and trashes anywhere; and what is only told.

    `lonely` are folders of assets without a root beside them, `linked` links that stand where a store is looked for, `littered` all
    folders with half-written files.
    """

    stores: tuple[Path, ...]
    trashes: tuple[Path, ...]
    lonely: tuple[Path, ...]
    linked: tuple[Path, ...]
    littered: tuple[Path, ...]


def look_around(ground: Ground) -> Sights:
    """Walk through the folders of a ground; UnreadableError."""
    folders = {folder.path: folder for folder in ground.visit() if folder.reach is Reach.DIRECT}
    images = [folder for folder in folders.values() if os.path.basename(folder.path) == FOLDER]  # noqa: PTH119  there may be thousands
    rooted = {f"{folder.path}/{FOLDER}" for folder in folders.values() if folder.roots}
    return Sights(
        _paths(folder.path for folder in images if folder.path in rooted),
        _paths(folder.path for folder in images if folder.has_trash),
        _paths(folder.path for folder in images if folder.has_assets and folder.path not in rooted),
        _paths(folder.linked_store for folder in folders.values() if folder.linked_store and folder.roots),
        _paths(folder.path for folder in folders.values() if folder.has_litter),
    )


def _paths(found: Iterable[str]) -> tuple[Path, ...]:
    """Each once, also where the folders that were named overlap."""
    paths: dict[str, Path] = {}
    for path in found:
        paths.setdefault(os.path.realpath(path), Path(path))
    return tuple(paths.values())
