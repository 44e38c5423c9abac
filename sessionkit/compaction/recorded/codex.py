"""Compactions of Codex: lines that replace the history, and the client's counts around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.recorded.base import Recorded, images_in
from sessionkit.core.model import Role
from sessionkit.dataclass import replace
from sessionkit.formats.codex.base_file import Line, read_rollout
from sessionkit.formats.codex.replay import Replay
from sessionkit.tokens import NEUTRAL
from sessionkit.tokens.anchors import find_anchor

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.core.entries import Entry
    from sessionkit.core.model import Message, Origin


def find(entries: Sequence[Entry], path: str) -> Iterator[Recorded]:
    """Replay the rollout. The first count after a compaction, if the client has estimated it, is the size of the new history."""
    replay, waiting = Replay(), list[Recorded]()
    for line in read_rollout(entries, path):
        if not isinstance(line, Line):
            continue
        before = replay.messages
        replay.take(line.value, line.origin)
        match line.value:
            case {"type": "compacted"}:
                yield from waiting
                waiting = [_compare(line.origin, before, replay.messages)]
            case {"type": "event_msg", "payload": {"type": "token_count"}}:
                yield from (_counted(recorded, replay.messages) for recorded in waiting)
                waiting = []
    yield from waiting


def _compare(origin: Origin, before: Sequence[Message], after: Sequence[Message]) -> Recorded:
    """What is kept has its old id, or in older generations its old place; the summary is the last of the new history."""
    anchor = find_anchor(before)
    known = set(map(_identity, before))
    kept = [message for message in after if message.role is not Role.SYSTEM and _identity(message) in known]
    summary = [message for message in after[-1:] if message.role is Role.USER]
    return Recorded(
        origin,
        tokens_before=anchor.tokens if anchor else None,
        kept=len(kept),
        first_kept=next((message.origin.entry for message in kept[:1]), ""),
        summary_tokens=NEUTRAL.total(summary) if summary else None,
        images_before=images_in(before),
        images_after=images_in(after),
    )


def _identity(message: Message) -> str | Origin:
    return message.origin.entry or message.origin


def _counted(recorded: Recorded, messages: Sequence[Message]) -> Recorded:
    usage = next((message.usage for message in messages[-1:]), None)
    return replace(recorded, tokens_after=usage.sum) if usage and usage.estimated else recorded
