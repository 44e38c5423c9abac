"""my-pi-agent, whose newest generation keeps images in files by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.formats.base import Format
from sessionkit.formats.holders import Use, holder_of_lock

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.formats.head import Head, JsonObject


class Native(Format):
    """A header of snake_case keys without a type, or a `session_info` on line 1; images stand in the lines."""

    id = "native"
    agent = "my-pi-agent"

    def recognises(self, head: Head) -> bool:
        return _is_typed_header(head.first) or _is_early_header(head.first)

    def in_use(self, path: Path) -> Use | None:
        """Look at the lock `.<file>.lock` beside the session, then at open files."""
        return holder_of_lock(path.with_name(f".{path.name}.lock")) or super().in_use(path)


class NativeSpill(Native):
    """The generation that writes image blocks with `asset_path` and reads them back before each request."""

    reads_references = True

    def recognises(self, head: Head) -> bool:
        return super().recognises(head) and any(_has_reference(entry) for entry in head.objects)


def _is_typed_header(entry: JsonObject) -> bool:
    match entry:
        case {"type": "session_info" | "sessionInfo", "createdAt": _} | {"type": "session_info" | "sessionInfo", "cwd": _}:
            return True
        case _:
            return False


def _is_early_header(entry: JsonObject) -> bool:
    match entry:
        case {"created_at": _, "current_id": _} | {"created_at": _, "root_id": _}:
            return entry.get("type", "session") == "session" and "role" not in entry  # the earliest ones had the type
        case _:
            return False


def _has_reference(entry: JsonObject) -> bool:
    match entry:
        case {"message": {"content": list(blocks)}}:
            return any(_is_reference(block) for block in blocks)
        case _:
            return False


def _is_reference(block: object) -> bool:
    """Tell the agent's own reference from one that `migrate` wrote, which names the field that it replaced."""
    match block:
        case {"asset_field": _}:
            return False
        case {"type": "image", "asset_path": str()} | {"type": "image", "assetPath": str()}:
            return True
        case _:
            return False
