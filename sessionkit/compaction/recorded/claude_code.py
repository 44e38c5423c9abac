"""Compactions of Claude Code: a boundary with the client's numbers, and the summary behind it; and clearings of old results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.recorded.base import Kind, Recorded, summarised
from sessionkit.compaction.recorded.past import Links, Past
from sessionkit.core.dialects.content import string, token_count
from sessionkit.core.model import Origin
from sessionkit.dataclass import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sessionkit.core.entries import Entry, JsonObject
    from sessionkit.formats import Format


def find(book: Format, entries: Sequence[Entry], path: str) -> Iterator[Recorded]:
    """A clearing changes the client's memory and no line: what it cleared is there again when the session is resumed."""
    past = Past(book, entries, path, Links("uuid", "parentUuid", _kept))
    for at, entry in enumerate(entries):
        origin = Origin(path, entry.line, string(entry.value.get("uuid")))
        match entry.value.get("subtype"):
            case "compact_boundary":
                before = past.until(at, string(entry.value.get("logicalParentUuid")))
                behind = next((behind for behind in range(at + 1, len(entries)) if _is_summary_or_boundary(entries[behind])), at)
                recorded = summarised(origin, before, past.until(behind + 1, origin.entry), entries[behind].line)
                yield _counted(recorded, _metadata(entry.value, "compactMetadata"))
            case "microcompact_boundary":
                yield _cleared(origin, _metadata(entry.value, "microcompactMetadata"))


def _kept(value: JsonObject) -> Iterable[str] | None:
    if value.get("subtype") != "compact_boundary":
        return None
    match value.get("compactMetadata"):
        case {"preservedMessages": {"uuids": list(ids)}}:
            return map(str, ids)
        case {"preservedSegment": {"headUuid": str(head)}}:
            return (head,)
        case _:
            return ()


def _is_summary_or_boundary(entry: Entry) -> bool:
    return entry.value.get("isCompactSummary") is True or entry.value.get("subtype") == "compact_boundary"


def _metadata(value: JsonObject, name: str) -> JsonObject:
    metadata = value.get(name)
    return metadata if isinstance(metadata, dict) else {}


def _counted(recorded: Recorded, told: JsonObject) -> Recorded:
    return replace(
        recorded,
        trigger=string(told.get("trigger")),
        tokens_before=token_count(told.get("preTokens")),
        tokens_after=token_count(told.get("postTokens")),
    )


def _cleared(origin: Origin, told: JsonObject) -> Recorded:
    before, saved = token_count(told.get("preTokens")), token_count(told.get("tokensSaved"))
    after = None if before is None or saved is None else max(0, before - saved)
    return Recorded(origin, Kind.CLEARING, string(told.get("trigger")), before, after)
