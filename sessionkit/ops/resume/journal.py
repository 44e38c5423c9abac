"""The file in which a batch notes what is done: JSON lines, a header first, then one for each session.

Whoever finishes a session appends its line, in whatever process. A line that is torn, or says nothing that is understood, counts
for nothing: its session is done again.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sessionkit.core.files import Durability, unwritable
from sessionkit.core.files.atomic import write_all
from sessionkit.dataclass import dataclass
from sessionkit.ops.resume.entry import Entry, Record, key_of
from sessionkit.ops.resume.marks import Mark, boot

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.ops.targets import Transfer


@dataclass(frozen=True, slots=True)
class Journal:
    """Where to note what is done, and how durably."""

    path: Path
    durability: Durability

    def add(self, transfer: Transfer, before: Mark | None, result: Record) -> None:
        """Note that a session is done, which was marked before it was read; UnwritableError.

        `written` in the result is the size of its target. Of one that has another size by now nothing is said: somebody wrote to it.
        """
        after = Mark.at(transfer.target) if transfer.target else None
        if before and after and after.size == result["written"]:
            since = "" if self.durability is Durability.SYNC else boot()
            self._append(Entry(key_of(transfer), before, after, since, result).line)

    def _append(self, line: bytes) -> None:
        """Write a line at once: other processes append too."""
        try:
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW)
            try:
                write_all(file, line)
                if self.durability is Durability.SYNC:
                    os.fsync(file)
            finally:
                os.close(file)
        except OSError as error:
            raise unwritable(self.path, error) from error
