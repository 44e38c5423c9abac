"""Files of another tool that took pictures out of sessions, each named by its SHA-256."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from sessionkit.core.files import open_regular, unreadable
from sessionkit.core.pictures import MOST_BYTES
from sessionkit.core.sniff import KNOWN_EXTENSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def blob_of(folder: Path, digest: str) -> bytes | None:
    """Read the file that a hash names, with or without an extension, in the folder or in one of the hash's first two digits.

    None where there is none, and for one whose bytes have another hash. UnreadableError.
    """
    for path in _places(folder, digest):
        data = _read(path)
        if data is not None and hashlib.sha256(data).hexdigest() == digest:
            return data
    return None


def no_blob(folder: Path, digest: str) -> str:
    """Say why no bytes can be had of a hash."""
    if any(path.is_file() for path in _places(folder, digest)):
        return f"the bytes of the blob {digest} in {folder} do not match its name"
    return f"no blob {digest} in {folder}"


def _places(folder: Path, digest: str) -> Iterator[Path]:
    for below in (folder, folder / digest[:2]):
        yield from (below / name for name in (digest, *(f"{digest}.{ext}" for ext in sorted(KNOWN_EXTENSIONS))))
    yield folder / digest[:2] / digest[2:]


def _read(path: Path) -> bytes | None:
    try:
        descriptor, status = open_regular(str(path))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unreadable(path, error) from error
    with os.fdopen(descriptor, "rb") as file:
        return file.read() if status.st_size <= MOST_BYTES else None
