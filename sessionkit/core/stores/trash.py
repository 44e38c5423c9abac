"""The trash of a store: assets that were taken away, each time under a name of its own, with a manifest."""

from __future__ import annotations

import json
import os
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, Self

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.stores.base import StoredFile

MANIFEST: Final = "manifest.json"

_SCHEMA: Final = "sessionkit.trash/1"
_FORM: Final = "%Y%m%dT%H%M%SZ"
_SECOND: Final = timedelta(seconds=1)

_has_form = re.compile(r"[0-9]{8}T[0-9]{6}Z").fullmatch
_run_in = re.compile(rb'"run" *: *"([0-9]{8}T[0-9]{6}Z-[0-9]{6}-[0-9a-f]{8})"').search
_MOMENT: Final = len("20260901T100000Z-000000")

MANIFEST_HEAD: Final = 1 << 9
"""Bytes of a manifest in which its run stands."""


@dataclass(frozen=True, slots=True)
class Run:
    """One collection, from however many stores it takes something away. No other has its `name`, which tells its time first."""

    time: datetime
    name: str

    @classmethod
    def at(cls, time: datetime) -> Self:
        """Begin a collection at a time, which is that of all that it takes away."""
        return cls(time, f"{_stamp(time)}-{time.microsecond:06}-{os.urandom(4).hex()}")


@dataclass(frozen=True, slots=True)
class Trash:
    """What was taken away from a store at one time; `stamp` is that time in UTC, such as 20260901T100000Z.

    Trashes of several stores are of one `run` if it took them all; before runs had names, those of one stamp were.
    """

    stamp: str
    files: tuple[StoredFile, ...]
    run: str

    @property
    def order(self) -> tuple[str, str]:
        """What sorts trashes by the time of their run: a store that had its stamp before has it under a later one."""
        return self.run[:_MOMENT], self.stamp

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
        yield _stamp(now)
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
    return f'{{"schema":"{_SCHEMA}","time":"{trash.stamp}","run":"{trash.run}","assets":[\n{lines}\n]}}\n'.encode()


def run_of(stamp: str, head: bytes) -> str:
    """Tell which run made the trash of this stamp from the first bytes of its manifest: the stamp where it tells none."""
    found = _run_in(head)
    return found[1].decode() if found else stamp


def _stamp(time: datetime) -> str:
    return time.astimezone(UTC).strftime(_FORM)


def _line(file: StoredFile) -> str:
    entry = {"asset": file.name.reference, "bytes": file.stat.size, "mtime_ns": file.stat.mtime_ns}
    return json.dumps(entry, separators=(",", ":"))
