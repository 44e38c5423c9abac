"""Files that are either whole or not there: atomic writes, folders, and what an interrupted run leaves behind."""

from __future__ import annotations

from sessionkit.core.files.atomic import OutputFile, write_atomic
from sessionkit.core.files.durability import Durability
from sessionkit.core.files.failures import refused, unreadable, unwritable
from sessionkit.core.files.folders import keeping_no_empty, make_folder, sync_folder
from sessionkit.core.files.inplace import Original, replace_in_place
from sessionkit.core.files.kinds import NotFolderError, NotRegularError, open_real_folder, open_regular
from sessionkit.core.files.pending import PendingFiles
from sessionkit.core.files.temporary import is_temporary, remove_leftovers

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
