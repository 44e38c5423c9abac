"""qwen-code: Claude Code's chain of records with the Gemini API's messages in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.formats.base import Format

if TYPE_CHECKING:
    from sessionkit.formats.head import Head, JsonObject


class QwenCode(Format):
    """Records `{"uuid","parentUuid","sessionId","type","message":{"role","parts"}}`."""

    id = "qwen-code"
    agent = "qwen-code"

    def recognises(self, head: Head) -> bool:
        return any(_is_record(entry) for entry in head.objects)


def _is_record(entry: JsonObject) -> bool:
    match entry:
        case {"uuid": str(), "sessionId": str(), "parentUuid": _, "type": "user" | "assistant" | "tool_result" | "system"}:
            return _is_qwens_own(entry)
        case _:
            return False


def _is_qwens_own(record: JsonObject) -> bool:
    """Tell the record from one of Claude Code, which has the same four keys."""
    match record:
        case {"type": "tool_result"} | {"systemPayload": _} | {"message": {"parts": list()}}:
            return True
        case _:
            return False
