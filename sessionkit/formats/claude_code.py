"""Claude Code, with the files of its subagents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.formats.base import Format

if TYPE_CHECKING:
    from sessionkit.formats.head import Head, JsonObject


class ClaudeCode(Format):
    """A chain of records by `uuid` and `parentUuid`, with records beside the chain; any of them can come first."""

    id = "claude-code"
    agent = "Claude Code"

    def recognises(self, head: Head) -> bool:
        return any(_is_chain_member(entry) or _is_side_record(entry) for entry in head.objects)


def _is_chain_member(entry: JsonObject) -> bool:
    match entry:
        case {"sessionId": _, "isSidechain": _} | {"sessionId": _, "userType": _}:
            return True
        case _:
            return False


def _is_side_record(entry: JsonObject) -> bool:
    match entry:
        case {"sessionId": _, "type": "queue-operation" | "last-prompt" | "mode" | "permission-mode" | "ai-title" | "custom-title"}:
            return True
        case {"type": "file-history-snapshot", "messageId": _} | {"type": "summary", "leafUuid": _}:
            return True
        case _:
            return False
