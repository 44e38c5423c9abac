"""Gemini CLI: JSON Lines, and the JSON documents of older versions and of `/chat save`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.dialects.calls import name_results
from sessionkit.core.entries import Defect
from sessionkit.core.model import Conversation, Origin, Skipped
from sessionkit.formats.base import Format
from sessionkit.formats.documents import read_document
from sessionkit.formats.skips import unknown_parts
from sessionkit.formats.unbranched import refuse_leaf

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.entries import Entry
    from sessionkit.formats.head import Head, JsonObject


class GeminiCli(Format):
    """Metadata `{"sessionId","projectHash"}`, then messages and `$set` patches; or one document with all messages."""

    id = "gemini-cli"
    agent = "Gemini CLI"

    def recognises(self, head: Head) -> bool:
        return _is_document(head.document) or _are_lines(head.objects)

    def conversation(self, entries: Iterable[Entry | Defect], path: str, leaf: str | None) -> Conversation:
        from sessionkit.formats.gemini_cli.messages import to_messages
        from sessionkit.formats.gemini_cli.replay import Replay

        refuse_leaf(leaf, path, self.agent)
        document, lines = read_document(entries, path)
        replay, skipped = Replay(), list[Skipped]()
        replay.take_document(document, Origin(path, 1))
        for line in lines:
            if isinstance(line, Defect):
                skipped.append(Skipped(line.cause, Origin(path, line.line)))
            else:
                replay.take(line.value, Origin(path, line.line))
        messages = name_results(to_messages(replay.items))
        return Conversation(self.id, messages, (*skipped, *replay.skipped, *unknown_parts(messages)))


def _are_lines(entries: tuple[JsonObject, ...]) -> bool:
    """Metadata, and a record behind it; a session that has just begun has metadata only."""
    records = [entry for entry in entries if not _is_metadata(entry)]
    return len(records) < len(entries) and (not records or any(_is_record(entry) for entry in records))


def _is_metadata(entry: JsonObject) -> bool:
    match entry:
        case {"sessionId": str(), "projectHash": str()}:
            return "uuid" not in entry
        case _:
            return False


def _is_record(entry: JsonObject) -> bool:
    match entry:
        case {"$set": _} | {"id": _, "type": "user" | "gemini" | "info" | "error" | "warning"}:
            return True
        case _:
            return False


def _is_document(document: object) -> bool:
    match document:
        case {"sessionId": _, "messages": list()}:
            return True
        case {"history": list(contents)} | list(contents):
            return bool(contents) and all(_is_content(content) for content in contents)
        case _:
            return False


def _is_content(content: object) -> bool:
    match content:
        case {"role": _, "parts": _}:
            return True
        case _:
            return False
