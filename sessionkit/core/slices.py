"""Base64 that stays in its file until somebody needs it: a session of gigabytes can be understood in little memory."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from sessionkit.core.files import open_regular, unreadable
from sessionkit.dataclass import dataclass
from sessionkit.errors import ChangedError, Place

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.model import Json


@dataclass(frozen=True, slots=True)
class Slice:
    """`size` bytes of base64 at an offset of a plain file; `prefix` is what stands before them in the same string, `data:…;base64,`."""

    path: Path
    offset: int
    size: int
    prefix: str = ""

    def read(self) -> str:
        """Read the base64, without the prefix; what is no UTF-8 in it becomes U+FFFD.

        Raises UnreadableError, or ChangedError when the file is shorter by now.
        """
        try:
            descriptor, _ = open_regular(str(self.path))
        except OSError as error:
            raise unreadable(self.path, error) from error
        try:
            return self._decode(os.pread(descriptor, self.size, self.offset))
        finally:
            os.close(descriptor)

    def _decode(self, data: bytes) -> str:
        if len(data) != self.size:
            raise ChangedError("changed while it was being read", place=Place(str(self.path)), hint="close its agent and run again")
        return data.decode("utf-8", "replace")


def whole(value: Json) -> Json:
    """Read what is left in its file of a value that is no message: the definition of a tool may have an image for an example."""
    match cast("object", value):
        case Slice() as piece:
            return piece.prefix + piece.read()
        case dict(members):
            return {name: whole(member) for name, member in members.items()}
        case list(items):
            return [whole(item) for item in items]
        case _:
            return value
