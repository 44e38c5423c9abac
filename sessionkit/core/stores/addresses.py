"""Where a store is: a folder, or a place in a bucket. Addresses are plain values, so that every process can open the store itself."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final, TypeAlias

from sessionkit.core.assets import FOLDER
from sessionkit.dataclass import dataclass

_SCHEME: Final = "s3://"
_LONGEST_PREFIX: Final = 900
"""A key has 1,024 bytes at most, and the name of a trash and of an asset come behind the prefix."""

_URL: Final = r"\s*([A-Za-z][A-Za-z0-9+.-]*://|[sS]3:)"
_NAME: Final = r"(?!.*\.\.)(?![0-9.]+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]"
_STEP: Final = r"[A-Za-z0-9!_.*'()=+@-]+"
"""What S3 calls safe characters, and some more that need no escape either."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """A place in a bucket of an S3 server; the keys of its assets are `<prefix>/images/<sha256>.<ext>`, without a prefix `images/…`."""

    name: str
    prefix: str = ""

    @property
    def folder(self) -> str:
        """Beginning of all keys, without the slash that follows."""
        return f"{self.prefix}/{FOLDER}" if self.prefix else FOLDER

    def place(self, name: str = "") -> str:
        """Tell where an object of the store is."""
        return f"{_SCHEME}{self.name}/{self.folder}/{name}"

    def __str__(self) -> str:
        return f"{_SCHEME}{self.name}/{self.prefix}".removesuffix("/")


Address: TypeAlias = Path | Bucket


def parse_address(text: str) -> Address:
    """Read `s3://BUCKET/PREFIX`, or the path of a folder; ValueError, which says what is wrong with it."""
    if not text:
        raise ValueError("it is empty; `.` is the working folder")
    if "\0" in text:
        raise ValueError("it holds a NUL byte")
    return _parse_url(text) if ":" in text and re.match(_URL, text) else Path(text)


def whole(address: Address) -> Address:
    """One address for a folder whose path can be spelled in several ways."""
    return address if isinstance(address, Bucket) else Path(os.path.abspath(address))  # noqa: PTH100  Path.absolute keeps `..`


def _parse_url(text: str) -> Bucket:
    if not text.startswith(_SCHEME):
        raise ValueError(f"{text[:100]!r} is neither a folder nor s3://BUCKET/PREFIX; a folder of such a name begins with `./`")
    name, _, prefix = text.removeprefix(_SCHEME).removesuffix("/").partition("/")
    if not re.fullmatch(_NAME, name):
        rule = "3 to 63 lower-case letters, digits, dots and hyphens, a letter or digit first and last"
        raise ValueError(f"{name[:100]!r} is no name of a bucket: {rule}")
    steps = prefix.split("/") if prefix else []
    for step in steps:
        if not re.fullmatch(_STEP, step) or step in {".", ".."}:
            raise ValueError(
                f"{step[:100]!r} can be no part of a prefix: letters, digits and !_.*'()=+@- are taken, and no `.` or `..` alone"
            )
    if len(prefix) > _LONGEST_PREFIX:
        raise ValueError(f"its prefix is longer than {_LONGEST_PREFIX} characters")
    if steps[-1:] == [FOLDER]:
        raise ValueError(f"leave the last {FOLDER!r} out: the assets of {text.removesuffix('/')!r} would be in {FOLDER}/{FOLDER}")
    return Bucket(name, prefix)
