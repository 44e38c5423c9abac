"""One line of a journal: a session that is done."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from sessionkit.dataclass import dataclass
from sessionkit.ops.resume.marks import Mark, boot

if TYPE_CHECKING:
    from sessionkit.ops.targets import Transfer

Record: TypeAlias = dict[str, Any]
"""A result, as JSON."""

Key: TypeAlias = tuple[str, str]
"""Whole paths of a session and of where it goes."""

MISUNDERSTOOD = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""What comes of reading something else than what was written."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the session was before, what stands at its target since, and the result.

    `boot` is that of the host if nothing was synced, so that a power cut takes back what was done; else empty.
    """

    key: Key
    before: Mark
    after: Mark
    boot: str
    result: Record

    @classmethod
    def parse(cls, line: bytes) -> Self | None:
        """Read a line; None for one that is torn, or of no form of ours."""
        try:
            words: Record = json.loads(line)
            before, after = (Mark(*map(int, words[name])) for name in ("before", "after"))
            return cls((str(words["source"]), str(words["target"])), before, after, str(words["boot"]), dict(words["result"]))
        except MISUNDERSTOOD:
            return None

    @property
    def line(self) -> bytes:
        """Line that is understood by `parse`."""
        marks = {"before": self.before.figures, "after": self.after.figures}
        words = {"source": self.key[0], "target": self.key[1], **marks, "boot": self.boot, "result": self.result}
        return json.dumps(words, separators=(",", ":")).encode() + b"\n"

    def stands(self, transfer: Transfer) -> bool:
        """Whether the session is as it was read, and its target as it was left."""
        if transfer.target is None or self.boot not in {"", boot()} or self.after != Mark.at(transfer.target):
            return False
        return transfer.is_in_place or self.before == Mark.at(transfer.source.path)


def key_of(transfer: Transfer) -> Key:
    """Name a session and its target, wherever this process works."""
    return os.path.abspath(transfer.source.path), os.path.abspath(transfer.target or "-")  # noqa: PTH100  Path.absolute keeps `..`
