"""Compactions of qwen-code: records with the whole history after them, and what the client counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.recorded.base import Recorded, images_in
from sessionkit.compaction.recorded.past import Links, Past
from sessionkit.core.dialects.content import string, token_count
from sessionkit.core.model import Origin, Role
from sessionkit.dataclass import replace
from sessionkit.tokens import NEUTRAL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.core.entries import Entry, JsonObject
    from sessionkit.core.model import Message
    from sessionkit.formats import Format


def find(book: Format, entries: Sequence[Entry], path: str) -> Iterator[Recorded]:
    """The first message of the new history is the summary, which an assistant acknowledges."""
    past = Past(book, entries, path, Links("uuid", "parentUuid", _kept))
    for at, entry in enumerate(entries):
        if _kept(entry.value) is not None:
            origin = Origin(path, entry.line, string(entry.value.get("uuid")))
            before = past.until(at, string(entry.value.get("parentUuid")))
            yield _counted(_compare(origin, before, past.until(at + 1, origin.entry)), entry.value)


def _kept(value: JsonObject) -> tuple[str, ...] | None:
    """A compaction holds all that it keeps."""
    match value:
        case {"type": "system", "systemPayload": {"compressedHistory": list(contents)}} if contents:
            return ()
        case _:
            return None


def _compare(origin: Origin, before: Sequence[Message], after: Sequence[Message]) -> Recorded:
    kept = after[2:] if any(message.role is Role.ASSISTANT for message in after[1:2]) else after[1:]
    return Recorded(
        origin,
        kept=len(kept),
        summary_tokens=NEUTRAL.total(after[:1]),
        images_before=images_in(before),
        images_after=images_in(after),
    )


def _counted(recorded: Recorded, value: JsonObject) -> Recorded:
    match value:
        case {"systemPayload": {"info": {"originalTokenCount": before, "newTokenCount": after}}}:
            return replace(recorded, tokens_before=token_count(before), tokens_after=token_count(after))
        case _:
            return recorded
