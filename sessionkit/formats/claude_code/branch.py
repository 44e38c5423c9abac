"""The branch of a Claude Code session that goes on: its leaf, its chain, and what its newest compaction kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.dialects.content import string
from sessionkit.core.model import Skipped
from sessionkit.dataclass import dataclass
from sessionkit.formats.chain import ancestors, walk
from sessionkit.formats.claude_code.replies import with_parallel_calls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.formats.records import Record

_SPEAKERS = frozenset({"user", "assistant"})


@dataclass(frozen=True, slots=True)
class Kept:
    """What a compaction kept: records from before it, and the id of the record that they follow now, which is its summary."""

    records: tuple[Record, ...] = ()
    anchor: str = ""
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """Records in the order of the next request; `kept` are the ids of those from before the newest compaction."""

    records: tuple[Record, ...]
    kept: frozenset[str]
    skipped: tuple[Skipped, ...]


def newest_terminal(by_id: dict[str, Record]) -> Record | None:
    """Find the record from which to walk: of those that nobody follows, the one below the latest message of a person or model.

    Messages of subagents, of teams and of the agent itself count only when there are no others.
    """
    parents = {record.parent for record in by_id.values()}
    terminals = [record for record in by_id.values() if record.id not in parents] or list(by_id.values())  # all in circles
    ends = list(_with_speakers(terminals, by_id))
    chosen = [end for end in ends if not _is_aside(end[0])] or ends
    chosen.sort(key=lambda end: (end[0].origin.line, end[1].origin.line))
    return chosen[-1][1] if chosen else None


def branch_of(terminal: Record | None, by_id: dict[str, Record]) -> Branch:
    """Follow the chain up to the newest compaction; records of subagents belong to no branch but their own."""
    chain = walk(terminal, by_id)
    at = next((at for at in reversed(range(len(chain.records))) if is_boundary(chain.records[at])), None)
    records = with_parallel_calls(chain.records[at or 0 :], by_id.values())
    if at is None:
        return Branch(_of_one_agent(records), frozenset(), chain.broken)
    kept = _kept(chain.records[at], by_id)
    behind = _anchor(records, kept.anchor) + 1
    ids = frozenset(record.id for record in kept.records) - {record.id for record in records}
    records[behind:behind] = [record for record in kept.records if record.id in ids]
    return Branch(_of_one_agent(records), ids, kept.skipped)


def is_boundary(record: Record) -> bool:
    """Whether a compaction begins here."""
    return record.value.get("subtype") == "compact_boundary"


def is_sidechain(record: Record) -> bool:
    """Whether a subagent wrote it."""
    return record.value.get("isSidechain") is True


def _of_one_agent(records: list[Record]) -> tuple[Record, ...]:
    """Only what the agent of the leaf wrote."""
    side = bool(records) and is_sidechain(records[-1])
    return tuple([record for record in records if is_sidechain(record) is side])


def _anchor(records: list[Record], id_: str) -> int:
    """Index of the record of that id; else of the summary, else of the boundary."""
    named = [at for at, record in enumerate(records) if record.id == id_]
    summaries = [at for at, record in enumerate(records) if record.value.get("isCompactSummary")]
    return (*named, *summaries, 0)[0]


def _kept(boundary: Record, by_id: dict[str, Record]) -> Kept:
    match boundary.value.get("compactMetadata"):
        case {"preservedMessages": {"uuids": list(names), **messages}}:
            ids = [str(name) for name in names]
            missing = [f"the entry {id_}, which it kept, is missing" for id_ in ids if id_ not in by_id]
            records, anchor = tuple(by_id[id_] for id_ in ids if id_ in by_id), messages.get("anchorUuid")
        case {"preservedSegment": {"headUuid": str(head), "tailUuid": str(tail), **segment}}:
            records, anchor = _segment(head, tail, by_id), segment.get("anchorUuid")
            missing = [] if records else [f"no chain leads from {tail} up to {head}, which it kept"]
        case _:
            return Kept()
    return Kept(records, string(anchor), tuple(Skipped(cause, boundary.origin) for cause in missing))


def _segment(head: str, tail: str, by_id: dict[str, Record]) -> tuple[Record, ...]:
    records = walk(by_id.get(tail), by_id).records
    start = next((at for at, record in enumerate(records) if record.id == head), len(records))
    return tuple(with_parallel_calls(records[start:], by_id.values()))


def _with_speakers(terminals: list[Record], by_id: dict[str, Record]) -> Iterator[tuple[Record, Record]]:
    """Pair each terminal with the nearest message at or above it; no record is passed twice."""
    known: dict[str, Record | None] = {}
    for terminal in terminals:
        passed: list[Record] = []
        speaker = None
        for record in ancestors(terminal, by_id):
            speaker = record if record.type in _SPEAKERS else known.get(record.id)
            if speaker or record.id in known:
                break
            passed.append(record)
        known.update((record.id, speaker) for record in passed)
        if speaker:
            yield speaker, terminal


def _is_aside(record: Record) -> bool:
    return any(record.value.get(name) for name in ("isSidechain", "teamName", "isMeta"))
