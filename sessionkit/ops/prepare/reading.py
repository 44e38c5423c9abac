"""Which images a command line names, and their bytes."""

from __future__ import annotations

import glob
import os
import re
from contextlib import contextmanager
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from sessionkit.core.files import NotRegularError, open_regular, unreadable
from sessionkit.dataclass import dataclass
from sessionkit.errors import Place, TooLargeError, UnreadableError, UsageError
from sessionkit.ops.sources import STDIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST_BYTES: Final = 512 << 20
"""Bytes of a file beyond which it is not read: at the most pixels that are decoded, four each and some more."""

_STDIN: Final = 0
_CALLED: Final = "standard input"
_READ: Final = 1 << 20
_is_url = re.compile(r"(?:https?|ftp|s3|data|file):", re.IGNORECASE).match
_FOLDER_HINT: Final = "name images in it; a quoted pattern, such as 'shots/*.png', names many"


Picture: TypeAlias = bytes | BufferedReader
"""The bytes of an image, or a file of which they can be read more than once, so that memory need not hold them beside its pixels."""


@dataclass(frozen=True, slots=True)
class Named:
    """An image to read: a file, or standard input where there is no path."""

    path: Path | None

    @property
    def name(self) -> str:
        r"""What it is called in messages, to people and to models; bytes that are no UTF-8 stand as `\xff`."""
        return _CALLED if self.path is None else os.fsencode(self.path).decode(errors="backslashreplace")

    @contextmanager
    def open(self) -> Iterator[Picture]:
        """Open a file, or read standard input to its end. Raises UnreadableError, and TooLargeError for more than anything decodable."""
        if self.path is None:
            yield self._read_stdin()
            return
        try:
            descriptor, status = open_regular(str(self.path))
        except NotRegularError as error:
            hint = "name a regular file; a pipe is named -"
            raise UnreadableError("cannot be read", place=Place(self.name), why=error.why, hint=hint) from error
        except OSError as error:
            raise unreadable(self.name, error) from error
        with open(descriptor, "rb") as file:  # noqa: PTH123  it is open already
            if status.st_size > MOST_BYTES:
                raise self._too_large()
            yield file

    def _read_stdin(self) -> bytes:
        file = BytesIO()
        try:
            while chunk := os.read(_STDIN, _READ):
                file.write(chunk)
                if file.tell() > MOST_BYTES:
                    raise self._too_large()
        except OSError as error:
            raise unreadable(self.name, error) from error
        return file.getvalue()

    def _too_large(self) -> TooLargeError:
        hint = "make it smaller with another program"
        return TooLargeError("too large", place=Place(self.name), why=f"more than {MOST_BYTES >> 20} MiB", hint=hint)


def read_whole(picture: Picture, name: str) -> bytes:
    """Read all bytes of an open file from its start. Raises UnreadableError."""
    if isinstance(picture, bytes):
        return picture
    try:
        picture.seek(0)
        return picture.read()
    except OSError as error:
        raise unreadable(name, error) from error


def find_images(words: Iterable[str]) -> list[Named]:
    """Find the images that words name, in their order; a pattern gives its files by name. Raises UsageError for a folder, or nothing."""
    found = [named for word in words for named in _expand(word)]
    if not found:
        raise UsageError("no images to work on", hint="name files, or - for standard input")
    if sum(named.path is None for named in found) > 1:
        raise UsageError("standard input is named twice", hint="name it once")
    return found


def _expand(word: str) -> list[Named]:
    if word == str(STDIN):
        return [Named(None)]
    if _is_url(word) and not os.path.lexists(word):
        raise UsageError("addresses are not fetched", place=Place(word), hint="pipe it in: `curl -s URL | sessionkit prepare -`")
    if not os.path.lexists(word) and glob.has_magic(word):
        matches = [match for match in sorted(glob.glob(word, recursive=True)) if not _is_folder(match)]  # noqa: PTH207  may be absolute
        if not matches:
            hint = "check the pattern; quote it, so that the shell leaves it alone"
            raise UsageError("no file matches the pattern", place=Place(word), hint=hint)
        return [Named(Path(match)) for match in matches]
    if not word or _is_folder(word):
        raise UsageError("this is a folder" if word else "a path is empty", place=Place(word) if word else None, hint=_FOLDER_HINT)
    return [Named(Path(word))]


def _is_folder(path: str) -> bool:
    return os.path.isdir(path)  # noqa: PTH112  Path.is_dir raises for names that are too long
