"""Which entries of a session are what a person said."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sessionkit.formats.records import Record


def is_prompt(record: Record) -> bool:
    """Whether an entry is a turn of the user: no result of a tool, no summary, nothing that the agent put in."""
    match record.value:
        case {"isMeta": True} | {"isCompactSummary": True} | {"isSidechain": True}:
            return False
        case {"type": "response_item", "payload": {"type": "message", "role": "user"} as item}:
            return _is_users(item)
        case {"type": "user", "message": {"content": content}} | {"message": {"role": "user", "content": content}}:
            return not _has_results(content)
        case {"type": "user", "message": {"role": "user"}}:  # of qwen-code, whose results are of another type
            return True
        case {"type": "user", "content": content}:
            return not _has_results(content)
        case _:
            return False


def _has_results(content: object) -> bool:
    items = content if isinstance(content, list) else []
    return any(isinstance(item, dict) and (item.get("type") == "tool_result" or "functionResponse" in item) for item in items)


def _is_users(item: object) -> bool:
    """Whether Codex says that the user wrote some of it; older ones do not tell."""
    match item:
        case {"internal_chat_message_metadata_passthrough": {"content_item_kinds": list(kinds)}} | {"content_item_kinds": list(kinds)}:
            return any(isinstance(kind, str) and kind.startswith("user.") for kind in kinds)
        case _:
            return True
