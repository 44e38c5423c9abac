"""Rollouts that go on where another one was left: the beginning of their history is a prefix of another file."""

from __future__ import annotations

from itertools import chain, product, takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.core.dialects.content import below
from sessionkit.core.entries import Defect, Entry, read_entries
from sessionkit.core.model import Origin, Skipped
from sessionkit.core.streams import open_source
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.entries import JsonObject


@dataclass(frozen=True, slots=True)
class Base:
    """The prefix of another thread: its lines with an ordinal below `end`."""

    thread: str
    end: int


@dataclass(frozen=True, slots=True)
class Line:
    """An entry and its place; the entries of a base come from another file."""

    value: JsonObject
    origin: Origin


def read_rollout(entries: Iterable[Entry | Defect], path: str) -> Iterator[Line | Skipped]:
    """Yield the entries of a rollout, those of its base behind its header."""
    return _read(entries, (path,))


def _read(entries: Iterable[Entry | Defect], files: tuple[str, ...]) -> Iterator[Line | Skipped]:
    """Read the last of the files, each of which is the base of the one before."""
    path = files[-1]
    is_first = True
    for entry in entries:
        place = Origin(path, entry.line)
        if isinstance(entry, Defect):
            yield Skipped(entry.cause, place)
            continue
        yield Line(entry.value, place)
        if is_first and (base := _base(entry.value)):
            yield from _read_base(base, files, below(place, "payload", "history_base"))
        is_first = False


def _base(header: JsonObject) -> Base | None:
    match header:
        case {"type": "session_meta", "payload": {"history_base": {"thread_id": str(thread), "end_ordinal_exclusive": int(end)}}} if _is_id(
            thread
        ):
            return Base(thread, end)
        case _:
            return None


def _is_id(thread: str) -> bool:
    return thread.replace("-", "").isalnum()


def _read_base(base: Base, files: tuple[str, ...], origin: Origin) -> Iterator[Line | Skipped]:
    file = next((found for found in _find(base.thread, Path(files[-1])) if str(found) not in files), None)
    if file is None:
        yield Skipped(f"the history before it is in thread {base.thread}, whose rollout is not here", origin, is_beginning=True)
        return
    with open_source(file) as stream:
        prefix = takewhile(lambda entry: _ordinal(entry) < base.end, read_entries(stream))
        for line in _read(prefix, (*files, str(file))):
            if isinstance(line, Skipped) or line.value.get("type") != "session_meta":
                yield line


def _ordinal(entry: Entry | Defect) -> int:
    """Ordinals begin at 0 and count lines; a base that was spilled has other offsets, but the same ordinals."""
    ordinal = entry.value.get("ordinal") if isinstance(entry, Entry) else None
    return ordinal if isinstance(ordinal, int) else entry.line - 1


def _find(thread: str, beside: Path) -> Iterator[Path]:
    """Find the rollouts of a thread in the folder of another, then in all the folders of days around it; plain files come first."""
    folders = [beside.parent, *(parent for parent in beside.parents if parent.name == "sessions")]
    for ending in product(("", "_*"), ("", ".zst", ".gz")):
        pattern = f"rollout-*-{thread}{'.jsonl'.join(ending)}"
        yield from chain.from_iterable(sorted(folder.rglob(pattern)) for folder in folders if folder.is_dir())
