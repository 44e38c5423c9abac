"""Folders: created with a mode, and durable."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from sessionkit.core.files.durability import Durability
from sessionkit.core.files.failures import unwritable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


def make_folder(path: Path, mode: int, durability: Durability = Durability.SYNC) -> None:
    """Create what is missing of a path, each new folder with that mode whatever the umask."""
    for folder in reversed(_missing(path)):
        try:
            _make_one(folder, mode)
        except OSError as error:
            raise unwritable(folder, error) from error
        if durability is Durability.SYNC:
            sync_folder(folder.parent)


@contextmanager
def keeping_no_empty(paths: Iterable[Path]) -> Iterator[None]:
    """Remove what was created of these paths in the block, where nothing came into it."""
    missing = {folder for path in set(paths) for folder in _missing(path)}
    try:
        yield
    finally:
        for folder in sorted(missing, reverse=True):
            with suppress(OSError):  # it was not made, or something is in it
                folder.rmdir()


def _missing(path: Path) -> list[Path]:
    """List the folders of a path that are not there, the innermost first."""
    return [folder for folder in (path, *path.parents) if not os.path.exists(folder)]  # noqa: PTH110  Path.exists raises for names that are too long


def _make_one(path: Path, mode: int) -> None:
    try:
        path.mkdir(mode)
    except FileExistsError:
        if not path.is_dir():
            raise
    else:
        path.chmod(mode)


def sync_folder(path: Path) -> None:
    """Make the names in a folder durable."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise unwritable(path, error) from error
