"""qwen-code's history, replayed from the records of a branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.dialects.content import below, string, token_count, token_counts
from sessionkit.core.dialects.gemini import decode_message, decode_parts, messages_of
from sessionkit.core.model import Message, Model, Role, Skipped, Usage
from sessionkit.dataclass import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sessionkit.core.entries import JsonObject
    from sessionkit.formats.records import Record

_TYPES = frozenset({"user", "assistant", "tool_result", "system", "mid_turn_user_message", "realtime_message"})
_COUNTS = ("promptTokenCount", "cachedContentTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "totalTokenCount")
_NEVER_SENT = frozenset({"system", "realtime_message"})


def is_known(type_: str) -> bool:
    """Whether qwen-code writes records of that type."""
    return type_ in _TYPES


def join_fragments(records: Iterable[Record]) -> dict[str, list[Record]]:
    """Put the records that share a uuid together, in the place of the first."""
    fragments: dict[str, list[Record]] = {}
    for record in records:
        if record.id:
            fragments.setdefault(record.id, []).append(record)
    return fragments


def other_sessions(records: Sequence[Record]) -> Iterator[Skipped]:
    """Say of the first record of each other session that it does not belong here; qwen-code would refuse the file."""
    seen = {"", *(string(record.value.get("sessionId")) for record in records[:1])}
    for record in records:
        session = string(record.value.get("sessionId"))
        if session not in seen:
            seen.add(session)
            yield Skipped(f"record of another session, {session}", record.origin)


def replay(branch: Iterable[Sequence[Record]]) -> tuple[Message, ...]:
    """Append what the records say; a compression replaces all before it."""
    history: list[Message] = []
    for fragments in branch:
        record = fragments[0]
        match record.value:
            case {"type": "system", "systemPayload": {"compressedHistory": list(contents), **payload}} if contents:
                history = _compressed(contents, payload.get("info"), record)
            case {"type": "system", "subtype": "agent_bootstrap", "systemPayload": {"history": list(contents)}}:
                history += _contents(contents, record, "history")
            case _ if record.type not in _NEVER_SENT:
                history += _messages(fragments)
    return tuple(history)


def _compressed(contents: list[object], info: object, record: Record) -> list[Message]:
    """Decode the new history; its last message bears the size that qwen-code has estimated for all of it."""
    history = list(_contents(contents, record, "compressedHistory"))
    total = token_count(info.get("newTokenCount")) if isinstance(info, dict) else None
    if history and total:
        history[-1] = replace(history[-1], usage=Usage(total=total, estimated=True))
    return history


def _contents(contents: list[object], record: Record, name: str) -> Iterator[Message]:
    for at, content in enumerate(contents):
        if isinstance(content, dict):
            yield from decode_message(content, below(record.origin, "systemPayload", name, at))


def _messages(fragments: Sequence[Record]) -> Iterator[Message]:
    """Decode the fragments of one message: all their parts, the first model, the last usage."""
    spoken = [(record, message) for record in fragments if isinstance(message := record.value.get("message"), dict)]
    if not spoken:
        return
    blocks = [block for record, message in spoken for block in decode_parts(message.get("parts"), below(record.origin, "message", "parts"))]
    record, message = spoken[0]
    name = next((name for record in fragments if (name := string(record.value.get("model")))), "")
    model = Model("qwen", "openai-completions", name) if name else None
    usages = [usage for record in fragments if (usage := _usage(record.value.get("usageMetadata")))]
    for found in messages_of(_role(record, message), tuple(blocks), below(record.origin, "message")):
        answered = found.role is Role.ASSISTANT
        yield replace(found, model=model, usage=usages[-1] if usages else None) if answered else found


def _role(record: Record, message: JsonObject) -> object:
    return message.get("role") or ("model" if record.type == "assistant" else "user")


def _usage(usage: object) -> Usage | None:
    match token_counts(usage, *_COUNTS):
        case [sent, cached, answer, thoughts, total]:
            return Usage(max(0, sent - cached), answer + thoughts, cached, total=total or sent)
        case _:
            return None
