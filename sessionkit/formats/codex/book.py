"""Codex rollouts, of both generations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sessionkit.core.dialects.calls import name_results
from sessionkit.core.model import Conversation, Origin, Skipped
from sessionkit.formats.base import Format
from sessionkit.formats.documents import read_document
from sessionkit.formats.holders import Use, holder_of_lock
from sessionkit.formats.skips import unknown_parts
from sessionkit.formats.unbranched import refuse_leaf

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sessionkit.core.entries import Defect, Entry
    from sessionkit.formats.head import Head, JsonObject

_LOCKS = "thread-writer-locks"
_THREAD = r"^rollout-.+-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_[^.]*)?\.jsonl"
"""`rollout-<time>-<thread id>.jsonl`; a later segment of a thread has `_<window>` behind the id."""


class Codex(Format):
    """Envelopes `{"timestamp","type","payload"}`; up to 0.31 bare Responses items behind a header without a type."""

    id = "codex"
    agent = "Codex"

    def recognises(self, head: Head) -> bool:
        return any(_is_envelope(entry) for entry in head.objects) or _is_old_header(head.first) or _is_oldest(head.document)

    def conversation(self, entries: Iterable[Entry | Defect], path: str, leaf: str | None) -> Conversation:
        from sessionkit.formats.codex.base_file import Line, read_rollout
        from sessionkit.formats.codex.replay import Replay

        refuse_leaf(leaf, path, self.agent)
        document, lines = read_document(entries, path)
        replay, skipped = Replay(), list[Skipped]()
        if isinstance(document, dict):
            replay.take(document, Origin(path, 1))
        for line in read_rollout(lines, path):
            if isinstance(line, Line):
                replay.take(line.value, line.origin)
            else:
                skipped.append(line)
        messages = name_results(replay.messages)
        return Conversation(self.id, messages, (*skipped, *replay.skipped, *unknown_parts(messages)))

    def in_use(self, path: Path) -> Use | None:
        """Look at the thread's lock, which a running Codex holds, then at open files: older ones have no lock."""
        return _lock_holder(path) or super().in_use(path)


def _is_envelope(entry: JsonObject) -> bool:
    return isinstance(entry.get("payload"), dict) and isinstance(entry.get("type"), str) and isinstance(entry.get("timestamp"), str)


def _is_old_header(entry: JsonObject) -> bool:
    match entry:
        case {"id": _, "timestamp": _, "instructions": _}:
            return "type" not in entry
        case _:
            return False


def _is_oldest(document: object) -> bool:
    match document:
        case {"session": dict(), "items": list()}:
            return True
        case _:
            return False


def _lock_holder(path: Path) -> Use | None:
    """Test `<CODEX_HOME>/thread-writer-locks/<thread id>.lock`; CODEX_HOME is the nearest folder above with such locks."""
    thread = re.match(_THREAD, path.name)
    home = next((folder for folder in path.resolve().parents if (folder / _LOCKS).is_dir()), None)
    if thread is None or home is None:
        return None
    return holder_of_lock(home / _LOCKS / f"{thread[1]}.lock")
