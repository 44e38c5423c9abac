"""Where the newest compaction stands that the next request goes on from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import Role
from sessionkit.faults.tree import is_compaction

if TYPE_CHECKING:
    from sessionkit.core.entries import JsonObject
    from sessionkit.faults.case import Case


def newest_compaction(case: Case) -> int:
    """Line of the newest compaction that replaced all before it, what it kept apart; 0 if there is none."""
    match case.format:
        case "codex":
            return _codexs(case)
        case "gemini-cli":
            return max((record.origin.line for record in case.outline.records if _sets_messages(record.value)), default=0)
        case _:
            return max((record.origin.line for record in case.tree.path if is_compaction(record)), default=0)


def _codexs(case: Case) -> int:
    """Find the newest one that was not rolled back: nothing before it is sent."""
    live = (message.origin.line for message in case.conversation.messages if message.role is not Role.SYSTEM)
    first = min(live, default=case.lines.count)
    lines = (record.origin.line for record in case.outline.records if _replaces_history(record.value))
    return max((line for line in lines if line <= first), default=0)


def _replaces_history(value: JsonObject) -> bool:
    match value:
        case {"type": "compacted", "payload": {"replacement_history": list()}}:
            return True
        case _:
            return False


def _sets_messages(value: JsonObject) -> bool:
    match value:
        case {"$set": {"messages": list()}}:
            return True
        case _:
            return False
