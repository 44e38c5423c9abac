"""Which sessions a command is about: files, folders, patterns, lists, stdin."""

from __future__ import annotations

import os
from enum import Enum, auto
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.core.assets import FOLDER
from sessionkit.dataclass import dataclass
from sessionkit.errors import Place, UnreadableError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sessionkit.core.stores.addresses import Address

STDIN = Path("-")
SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst")
"""What makes a file of a folder a session; a file that is named on its own may have any name."""

_ARCHIVES = (".gz", ".zst")
_LONGEST_PATH = 4096


class Descent(Enum):
    """Whether folders are searched for sessions, with all their folders below."""

    REFUSE_FOLDERS = auto()
    RECURSIVE = auto()


@dataclass(frozen=True, slots=True)
class Source:
    """A session to read. `relative` is its path below the folder argument that it was found in (`folder`), else its name.

    `copy` is where standard input is kept while it has to be read twice. `shadowed` are archives of the same name beside the
    session, which are left out.
    """

    path: Path
    relative: Path
    folder: Path | None = None
    is_stdin: bool = False
    copy: Path | None = None
    shadowed: tuple[Path, ...] = ()

    def size(self) -> int:
        """Bytes on disk; 0 for what cannot be looked at, which reading will explain."""
        try:
            return 0 if self.is_stdin else os.stat(self.path).st_size  # noqa: PTH116  folders hold tens of thousands
        except OSError:
            return 0

    def store(self, named: Address | None) -> Address:
        """Where its assets are: the one that was named, else `images` beside it."""
        if named is not None:
            return named
        return assets_beside(self.path)


def assets_beside(session: Path) -> Path:
    """Folder of the assets that a session has beside it, whether it is there or not."""
    return _assets_in(os.path.dirname(session))  # noqa: PTH120  asked for tens of thousands


@lru_cache(maxsize=256)
def _assets_in(folder: str) -> Path:
    return Path(folder, FOLDER)


def find_sources(paths: Iterable[str], descent: Descent) -> list[Source]:
    """Expand arguments in their order, each file once. Folders give their sessions in order of path.

    Raises UsageError when there is nothing to do, or a folder is named and may not be searched.
    """
    found: dict[str, Source] = {}
    working_folder = cache(os.getcwd)
    for path in paths:
        for source in _expand(path, descent):
            found.setdefault("" if source.is_stdin else _absolute(str(source.path), working_folder), source)
    if not found:
        raise UsageError("no sessions to work on", hint=f"name files, or folders that hold {', '.join(SUFFIXES)}")
    return list(found.values())


def _absolute(path: str, working_folder: Callable[[], str]) -> str:
    """Do what `os.path.abspath` does, which asks the system for the working folder each time."""
    return os.path.normpath(path if os.path.isabs(path) else os.path.join(working_folder(), path))  # noqa: PTH117, PTH118  tens of thousands


def find_one(path: str) -> Source:
    """Find the session that a word names. Raises UsageError for a folder, and for a pattern that several files match."""
    if os.path.isdir(path):  # noqa: PTH112  Path.is_dir raises for names that are too long
        raise UsageError("this is a folder", place=Place(path), hint="name one session in it")
    sources = find_sources([path], Descent.REFUSE_FOLDERS)
    if len(sources) > 1:
        raise UsageError(f"{len(sources)} sessions match the pattern", place=Place(path), hint="name one of them")
    return sources[0]


def read_list(path: Path) -> list[str]:
    """Read the paths, one a line, of a list of files; separated by NUL bytes if there is one, as `find -print0` does it.

    Raises UsageError for what is no list, such as a session.
    """
    try:
        text = _read_stdin() if path == STDIN else path.read_bytes()
    except OSError as error:
        raise UnreadableError("the list of files cannot be read", place=Place(str(path)), why=str(error.strerror)) from error
    names = [name for name in text.split(b"\0" if b"\0" in text else b"\n") if name.strip()]
    if any(len(name) > _LONGEST_PATH for name in names):
        why = "one of its lines is longer than any path"
        raise UsageError("this is no list of files", place=Place(str(path)), why=why, hint="give one path a line")
    return [os.fsdecode(name) for name in names]


def _read_stdin() -> bytes:
    with open(0, "rb", closefd=False) as stdin:
        return stdin.read()


def _expand(path: str, descent: Descent) -> Iterator[Source]:
    if path == str(STDIN):
        yield Source(STDIN, Path("stdin.jsonl"), is_stdin=True)
        return
    for each in [path] if os.path.lexists(path) else _matching(path):
        yield from _expand_one(Path(each), descent)


def _matching(path: str) -> list[str]:
    """Find what a pattern matches. What is none stands for itself: reading it will say that it is not there."""
    import glob  # noqa: PLC0415  seldom wanted, and it costs start-up

    if not glob.has_magic(path):
        return [path]
    matches = sorted(glob.glob(path, recursive=True))  # noqa: PTH207  patterns may be absolute
    if not matches:
        hint = "check the pattern; quote it, so that the shell leaves it alone"
        raise UsageError("no file matches the pattern", place=Place(path), hint=hint)
    return matches


def _expand_one(path: Path, descent: Descent) -> Iterator[Source]:
    if "\0" in str(path):
        raise UsageError("a path holds a NUL byte", place=Place(str(path)), hint="give one path a line, or each between NUL bytes")
    if not os.path.isdir(path):  # noqa: PTH112  Path.is_dir raises for names that are too long
        yield Source(path, Path(path.name))
        return
    if descent is Descent.REFUSE_FOLDERS:
        raise UsageError("this is a folder", place=Place(str(path)), hint="add -r to work on all sessions below it")
    below = _below(path)
    for relative in sorted(below):
        yield Source(path / relative, Path(relative), path, shadowed=below[relative])


def _below(folder: Path) -> dict[str, tuple[Path, ...]]:
    """List the sessions below a folder by their relative paths, each with the archives that are left out for it.

    Of a session and its archive only the session counts. Links to folders are not followed.
    A folder that cannot be listed counts too: reading it will fail, and say why, while the others go on.
    """
    unreadable: list[str] = []
    found: dict[str, tuple[Path, ...]] = {}
    for root, _, names in os.walk(folder, onerror=lambda error: unreadable.append(str(error.filename))):
        present = frozenset(names)
        archives = frozenset(filter(is_packed, names))
        prefix = os.path.relpath(root, folder)
        for name in names:
            if name.endswith(SUFFIXES) and not (name in archives and unpacked_name(name) in present):
                relative = name if prefix == "." else f"{prefix}/{name}"
                found[relative] = tuple(folder / f"{relative}{end}" for end in _ARCHIVES if f"{name}{end}" in archives) if archives else ()
    return found | {os.path.relpath(path, folder): () for path in unreadable}


def is_packed(name: str) -> bool:
    """Whether a file name is that of an archive."""
    return name.endswith(_ARCHIVES)


def unpacked_name(name: str) -> str:
    """Name of what an archive holds."""
    return name.removesuffix(".gz").removesuffix(".zst")
