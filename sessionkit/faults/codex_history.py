"""Lists of Codex that belong together and do not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.faults.base import Finding, Severity, Spot, State
from sessionkit.faults.compactions import newest_compaction
from sessionkit.faults.reported import ReportedFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.entries import JsonObject
    from sessionkit.faults.case import Case

_UNCURED: Final = "only Codex knows what belongs there"


class CodexHistoryShape(ReportedFault):
    """Lists of Codex that do not fit together."""

    id = "codex-history-shape"
    page = """\
codex-history-shape: lists of Codex that do not fit together

Rule
  Codex keeps a second list beside the history that a compaction leaves,
  replacement_history_metadata, with an item for each item of it; and beside
  the content of a message a list of the kinds of its items. Here they differ
  in length. A tool took items out of one of them.

What you see
  Nothing. Codex throws the compaction away and sends all that was before it
  again, with every image: the context is full at once. A message whose kinds
  do not fit was not seen to do harm.

Cure
  None. Put the session back from a backup. The cures of this tool never
  change the number of items.

What it loses
  Nothing."""

    def find(self, case: Case) -> Iterator[Finding]:
        if case.format != "codex":
            return
        newest = newest_compaction(case)
        for record in case.outline.records:
            match record.value:
                case {"payload": {"replacement_history": list(items), "replacement_history_metadata": list(metadata)}} if len(items) != len(
                    metadata
                ):
                    state = State.LIVE if record.origin.line == newest else State.ASLEEP
                    place = Spot(record.origin.line, "/payload/replacement_history")
                    cause = f"{len(items)} items in the history, and {len(metadata)} in the list beside it"
                    yield Finding(self.id, Severity.DEGRADES, state, place, cause, obstacle=_UNCURED)
                case {"payload": dict(payload)}:
                    yield from _odd_kinds(case, record.origin.line, payload)


def _odd_kinds(case: Case, line: int, payload: JsonObject) -> Iterator[Finding]:
    items = payload.get("replacement_history")
    places = (
        {f"/payload/replacement_history/{at}": item for at, item in enumerate(items)} if isinstance(items, list) else {"/payload": payload}
    )
    for pointer, item in places.items():
        match item:
            case {"content": list(content), "content_item_kinds": list(kinds)}:
                pass
            case {"content": list(content), "internal_chat_message_metadata_passthrough": {"content_item_kinds": list(kinds)}}:
                pass
            case _:
                continue
        if len(content) != len(kinds):
            state = State.LIVE if line in case.live_lines else State.ASLEEP
            cause = f"{len(content)} items in the content, and {len(kinds)} kinds beside it"
            yield Finding(CodexHistoryShape.id, Severity.HARMLESS, state, Spot(line, f"{pointer}/content"), cause, obstacle=_UNCURED)


def _items(payload: JsonObject) -> Iterator[tuple[str, object]]:
    items = payload.get("replacement_history")
    yield "/payload", payload
    yield from ((f"/payload/replacement_history/{at}", item) for at, item in enumerate(items if isinstance(items, list) else []))
