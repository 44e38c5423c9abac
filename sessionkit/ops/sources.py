"""Which sessions a command is about: files, folders, patterns, lists, stdin."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.errors import Place, UnreadableError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STDIN = Path("-")
SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst")
"""What makes a file of a folder a session; a file that is named on its own may have any name."""


class Descent(Enum):
    """Whether folders are searched for sessions, with all their folders below."""

    REFUSE_FOLDERS = auto()
    RECURSIVE = auto()


@dataclass(frozen=True, slots=True)
class Source:
    """A session to read. `relative` is its path below the folder argument that it was found in (`folder`), else its name.

    `copy` is where standard input is kept while it has to be read twice.
    """

    path: Path
    relative: Path
    folder: Path | None = None
    is_stdin: bool = False
    copy: Path | None = None

    def size(self) -> int:
        """Bytes on disk; 0 for what cannot be looked at, which reading will explain."""
        try:
            return 0 if self.is_stdin else os.stat(self.path).st_size  # noqa: PTH116  folders hold tens of thousands
        except OSError:
            return 0


def find_sources(paths: Iterable[str], descent: Descent) -> list[Source]:
    """Expand arguments in their order, each file once. Folders give their sessions in order of path.

    Raises UsageError when there is nothing to do, or a folder is named and may not be searched.
    """
    found: dict[str, Source] = {}
    for path in paths:
        for source in _expand(path, descent):
            found.setdefault("" if source.is_stdin else os.path.abspath(source.path), source)  # noqa: PTH100  Path.absolute keeps `..`
    if not found:
        raise UsageError("no sessions to work on", hint=f"name files, or folders that hold {', '.join(SUFFIXES)}")
    return list(found.values())


def read_list(path: Path) -> list[str]:
    """Read the paths, one a line, of a list of files."""
    try:
        text = _read_stdin() if path == STDIN else path.read_bytes()
    except OSError as error:
        raise UnreadableError("the list of files cannot be read", place=Place(str(path)), why=str(error.strerror)) from error
    return [os.fsdecode(line) for line in text.split(b"\n") if line.strip()]


def _read_stdin() -> bytes:
    with open(0, "rb", closefd=False) as stdin:
        return stdin.read()


def _expand(path: str, descent: Descent) -> Iterator[Source]:
    if path == str(STDIN):
        yield Source(STDIN, Path("stdin.jsonl"), is_stdin=True)
        return
    if not os.path.lexists(path) and glob.has_magic(path):
        matches = sorted(glob.glob(path, recursive=True))  # noqa: PTH207  patterns may be absolute
        if not matches:
            raise UsageError(
                "no file matches the pattern", place=Place(path), hint="check the pattern; quote it, so that the shell leaves it alone"
            )
        for match in matches:
            yield from _expand_one(Path(match), descent)
        return
    yield from _expand_one(Path(path), descent)


def _expand_one(path: Path, descent: Descent) -> Iterator[Source]:
    if not path.is_dir():
        yield Source(path, Path(path.name))
        return
    if descent is Descent.REFUSE_FOLDERS:
        raise UsageError("this is a folder", place=Place(str(path)), hint="add -r to work on all sessions below it")
    for relative in sorted(_sessions_below(path)):
        yield Source(path / relative, Path(relative), path)


def _sessions_below(folder: Path) -> Iterator[str]:
    """Paths relative to the folder. Of a session and its archive only the session counts. Links to folders are not followed."""
    for root, folders, names in os.walk(folder, onerror=_raise_unreadable):
        folders[:] = [name for name in folders if name != "images"]
        present = frozenset(names)
        prefix = os.path.relpath(root, folder)
        for name in names:
            if name.endswith(SUFFIXES) and not (is_packed(name) and unpacked_name(name) in present):
                yield name if prefix == "." else f"{prefix}/{name}"


def _raise_unreadable(error: OSError) -> None:
    raise UnreadableError("the folder cannot be read", place=Place(str(error.filename)), why=str(error.strerror)) from error


def is_packed(name: str) -> bool:
    """Whether a file name is that of an archive."""
    return name.endswith((".gz", ".zst"))


def unpacked_name(name: str) -> str:
    """Name of what an archive holds."""
    return name.removesuffix(".gz").removesuffix(".zst")
