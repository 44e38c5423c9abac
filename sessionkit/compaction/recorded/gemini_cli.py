"""Compactions of Gemini CLI: a new list of messages, which begins with one that was not there before, and without some that were."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.recorded.base import Recorded, images_in
from sessionkit.core.model import Origin
from sessionkit.formats.gemini_cli.messages import to_messages
from sessionkit.formats.gemini_cli.replay import Replay
from sessionkit.tokens import NEUTRAL
from sessionkit.tokens.anchors import find_anchor

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.core.entries import Entry
    from sessionkit.formats.gemini_cli.replay import Item


def find(entries: Sequence[Entry], path: str) -> Iterator[Recorded]:
    """Replay the session. A rewind is no compaction, and neither is a list that only lacks messages."""
    replay = Replay()
    for entry in entries:
        before = replay.items
        replay.take(entry.value, Origin(path, entry.line))
        match entry.value:
            case {"$set": {"messages": list()}} if _is_summarised(before, replay.items):
                yield _compare(Origin(path, entry.line), before, replay.items)


def _is_summarised(before: Sequence[Item], after: Sequence[Item]) -> bool:
    old, new = _ids(before), _ids(after)
    return bool(old and new) and new[0] not in old and not set(old).issubset(new)


def _compare(origin: Origin, before: Sequence[Item], after: Sequence[Item]) -> Recorded:
    said, left = tuple(to_messages(before)), tuple(to_messages(after))
    anchor = find_anchor(said)
    kept = [id_ for id_ in _ids(after) if id_ in _ids(before)]
    return Recorded(
        origin,
        tokens_before=anchor.tokens if anchor else None,
        kept=len(kept),
        first_kept=kept[0] if kept else "",
        summary_tokens=NEUTRAL.total(left[:1]),
        images_before=images_in(said),
        images_after=images_in(left),
    )


def _ids(items: Sequence[Item]) -> list[str]:
    return [item.origin.entry for item in items]
