"""Files that are either whole or not there: atomic writes, folders, and what an interrupted run leaves behind.

The names are imported when they are first used: most commands only read.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sessionkit.core.files.atomic import OutputFile, write_atomic
    from sessionkit.core.files.durability import Durability
    from sessionkit.core.files.failures import refused, unreadable, unwritable
    from sessionkit.core.files.folders import keeping_no_empty, make_folder, sync_folder
    from sessionkit.core.files.inplace import Original, replace_in_place
    from sessionkit.core.files.kinds import NotFolderError, NotRegularError, open_real_folder, open_regular
    from sessionkit.core.files.pending import PendingFiles
    from sessionkit.core.files.temporary import is_temporary, remove_leftovers

_HOMES = {
    "atomic": ("OutputFile", "write_atomic"),
    "durability": ("Durability",),
    "failures": ("refused", "unreadable", "unwritable"),
    "folders": ("keeping_no_empty", "make_folder", "sync_folder"),
    "inplace": ("Original", "replace_in_place"),
    "kinds": ("NotFolderError", "NotRegularError", "open_real_folder", "open_regular"),
    "pending": ("PendingFiles",),
    "temporary": ("is_temporary", "remove_leftovers"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Durability",
    "NotFolderError",
    "NotRegularError",
    "Original",
    "OutputFile",
    "PendingFiles",
    "is_temporary",
    "keeping_no_empty",
    "make_folder",
    "open_real_folder",
    "open_regular",
    "refused",
    "remove_leftovers",
    "replace_in_place",
    "sync_folder",
    "unreadable",
    "unwritable",
    "write_atomic",
]


def __getattr__(name: str) -> object:
    """Import a name (PEP 562)."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
