"""The trash of a store: assets that were taken away, each time under a name of its own, with a manifest."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.stores.base import StoredFile

MANIFEST: Final = "manifest.json"

_SCHEMA: Final = "sessionkit.trash/1"
_FORM: Final = "%Y%m%dT%H%M%SZ"
_SECOND: Final = timedelta(seconds=1)

_has_form = re.compile(r"[0-9]{8}T[0-9]{6}Z").fullmatch


@dataclass(frozen=True, slots=True)
class Trash:
    """What was taken away at one time; `stamp` is that time in UTC, such as 20260901T100000Z."""

    stamp: str
    files: tuple[StoredFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all its assets."""
        return sum(file.stat.size for file in self.files)


def is_stamp(name: str) -> bool:
    """Whether a name is that of a trash."""
    try:
        time_of(name)
    except ValueError:
        return False
    return True


def stamps_from(now: datetime) -> Iterator[str]:
    """Name the time, and each second after it."""
    while True:
        yield now.astimezone(UTC).strftime(_FORM)
        now += _SECOND


def time_of(stamp: str) -> datetime:
    """Tell the time of a trash; ValueError for a name that is none."""
    if not _has_form(stamp):
        message = f"not the time of a trash: {stamp[:100]!r}"
        raise ValueError(message)
    return datetime.strptime(stamp, _FORM).replace(tzinfo=UTC)


def manifest_of(trash: Trash) -> bytes:
    """Write a manifest: a JSON document, with a line for each asset."""
    lines = ",\n".join(_line(file) for file in trash.files)
    return f'{{"schema":"{_SCHEMA}","time":"{trash.stamp}","assets":[\n{lines}\n]}}\n'.encode()


def _line(file: StoredFile) -> str:
    entry = {"asset": file.name.reference, "bytes": file.stat.size, "mtime_ns": file.stat.mtime_ns}
    return json.dumps(entry, separators=(",", ":"))
