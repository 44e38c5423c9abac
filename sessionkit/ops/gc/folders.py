"""Walk through folders: what stands in each that matters to a collection."""

from __future__ import annotations

import errno
import os
from collections import deque
from enum import Enum, auto
from typing import TYPE_CHECKING

from sessionkit.core.assets import FOLDER, AssetName
from sessionkit.core.files import is_temporary, unreadable
from sessionkit.core.stores.base import TRASH
from sessionkit.core.stores.trash import is_stamp
from sessionkit.dataclass import dataclass
from sessionkit.ops.roots import may_name_assets, root_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sessionkit.ops.roots import Root


class Choice(Enum):
    """Which files of a folder are roots: those whose names say so, or all but assets."""

    BY_NAME = auto()
    ALL = auto()


class Reach(Enum):
    """How a folder was reached. Of one behind a link only the roots count: its assets may be anybody's."""

    DIRECT = auto()
    BY_LINK = auto()


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder: its roots; `images` in it if that is a link; whether assets and a trash are in itself; whether half-written files are."""

    path: str
    reach: Reach
    roots: tuple[Root, ...]
    linked_store: str | None
    has_assets: bool
    has_trash: bool
    has_litter: bool


def walk(top: str, choice: Choice) -> Iterator[Folder]:
    """Visit a folder and all below, each once, those behind links after all others; trashes are passed over.

    Raises UnreadableError for a folder that cannot be listed.
    """
    seen: set[tuple[int, int]] = set()
    direct, by_link = deque([top]), deque[str]()
    while direct or by_link:
        reach = Reach.DIRECT if direct else Reach.BY_LINK
        path = (direct or by_link).popleft()
        if _is_trash(path) or not _is_new(path, seen):
            continue
        entries, has_assets = _entries(path)
        below = [entry for entry in entries if _is_folder(entry)]
        names = [entry.name for entry in entries]
        yield Folder(
            path,
            reach,
            tuple(root_of(entry.path) for entry in entries if _is_root(entry, choice)),
            next((entry.path for entry in entries if entry.name == FOLDER and entry.is_symlink()), None),
            has_assets,
            TRASH in names,
            any(map(is_temporary, names)),
        )
        for entry in below:
            (by_link if reach is Reach.BY_LINK or entry.is_symlink() else direct).append(entry.path)


def _is_root(entry: os.DirEntry[str], choice: Choice) -> bool:
    if may_name_assets(entry.name):
        return not _is_folder(entry)
    return choice is Choice.ALL and _is_file(entry)


def _is_asset(entry: os.DirEntry[str]) -> bool:
    try:
        AssetName.parse(f"{FOLDER}/{entry.name}")
    except ValueError:
        return False
    return _is_file(entry)


def _is_trash(path: str) -> bool:
    folder, name = os.path.split(path)
    return is_stamp(name) and os.path.basename(folder) == TRASH  # noqa: PTH119  folders hold tens of thousands


def _is_new(path: str, seen: set[tuple[int, int]]) -> bool:
    try:
        status = os.stat(path)  # noqa: PTH116  the same
    except FileNotFoundError:  # removed since its folder was listed
        return False
    except OSError as error:
        raise unreadable(path, error) from error
    key = (status.st_dev, status.st_ino)
    is_new = key not in seen
    seen.add(key)
    return is_new


def _entries(path: str) -> tuple[list[os.DirEntry[str]], bool]:
    """List a folder by name, and tell whether there are assets, which the list leaves out: a store may have a hundred thousand."""
    others, has_assets = [], False
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                if _is_asset(entry):
                    has_assets = True
                else:
                    others.append(entry)
    except FileNotFoundError:  # the same
        return [], False
    except OSError as error:
        raise unreadable(path, error) from error
    return sorted(others, key=lambda entry: entry.name), has_assets


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return _holds(entry.is_dir, entry.path)


def _is_file(entry: os.DirEntry[str]) -> bool:
    return _holds(entry.is_file, entry.path)


def _holds(question: Callable[[], bool], path: str) -> bool:
    try:
        return question()
    except OSError as error:
        if error.errno == errno.ELOOP:  # a link to itself is nothing
            return False
        raise unreadable(path, error) from error
