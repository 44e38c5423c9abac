"""One line of a file that holds messages as providers take them: a message, an item, or a whole conversation, maybe in a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sessionkit.core.dialects import anthropic, chat, gemini, responses
from sessionkit.core.dialects.content import below, decode_content, string
from sessionkit.core.dialects.embedded import unsupported
from sessionkit.core.dialects.turns import user_turn
from sessionkit.core.model import Message, Role, Skipped, Unsupported
from sessionkit.core.slices import whole
from sessionkit.dataclass import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.entries import JsonObject
    from sessionkit.core.model import Block, Json, Origin

_WRAPPERS = ("body", "params", "request", "input")
_LISTS = ("messages", "contents", "input")
_SYSTEM = ("system", "instructions", "systemInstruction", "system_instruction")


@dataclass(frozen=True, slots=True)
class Part:
    """What a line adds. `is_whole` tells that it is a conversation of its own."""

    origin: Origin
    messages: tuple[Message, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    tools: tuple[Json, ...] = ()
    is_whole: bool = False


def read_line(value: JsonObject, origin: Origin) -> Part:
    """Decode a line. A request or a log record is gone into for one level."""
    if _is_conversation(value):
        return _conversation(value, origin)
    for name in _WRAPPERS:
        inner = value.get(name)
        if isinstance(inner, dict) and _is_conversation(inner):
            return _preferred(value, replace(_conversation(inner, below(origin, name)), origin=origin))
    if "role" in value or "type" in value:
        return Part(origin, tuple(decode_message(value, origin)))
    return Part(origin, skipped=(Skipped("neither a message nor a conversation", origin),))


def decode_message(value: JsonObject, origin: Origin) -> Iterable[Message]:
    """Decode a message or item of any provider; its blocks may be of another one's."""
    match value:
        case {"parts": _}:
            return gemini.decode_message(value, origin)
        case {"type": str()}:
            return (responses.decode_item(value, origin, decode_block),)
        case {"role": "user", "content": list(content)}:
            return user_turn(decode_content(content, below(origin, "content"), decode_block)[0], origin)
        case _:
            return (chat.decode_message(value, origin, decode_block),)


def decode_block(block: JsonObject, origin: Origin) -> Iterable[Block]:
    """Decode a block by the first dialect that knows it."""
    for decode in (_anthropic_block, chat.decode_block, responses.decode_block, gemini.decode_part):
        blocks = tuple(decode(block, origin))
        if not any(isinstance(found, Unsupported) and found.origin == origin for found in blocks):
            return blocks
    return unsupported(block, string(block.get("type")), origin)


def _anthropic_block(block: JsonObject, origin: Origin) -> Iterable[Block]:
    return anthropic.decode_blocks(block, origin)[0]


def _is_conversation(value: JsonObject) -> bool:
    return "type" not in value and any(isinstance(value.get(name), list) for name in _LISTS)


def _conversation(value: JsonObject, origin: Origin) -> Part:
    name = next(name for name in _LISTS if isinstance(value.get(name), list))
    items = cast("list[object]", value[name])
    messages = _decode_all(items, below(origin, name))
    tools = value.get("tools")
    given = tuple(map(whole, cast("list[Json]", tools))) if isinstance(tools, list) else ()
    return Part(origin, (*_system(value, origin), *messages), tools=given, is_whole=True)


def _preferred(record: JsonObject, part: Part) -> Part:
    """Add the answer that a preference pair prefers; the other one is no part of the conversation."""
    messages, skipped = list(part.messages), list(part.skipped)
    match record:
        case {"preferred_output": list(answers)}:
            messages += _decode_all(answers, below(part.origin, "preferred_output"))
    if "non_preferred_output" in record:
        skipped.append(Skipped("the answer that was not preferred", below(part.origin, "non_preferred_output")))
    return replace(part, messages=tuple(messages), skipped=tuple(skipped))


def _decode_all(items: list[object], origin: Origin) -> Iterator[Message]:
    for at, item in enumerate(items):
        if isinstance(item, dict):
            yield from decode_message(item, below(origin, at))


def _system(value: JsonObject, origin: Origin) -> Iterator[Message]:
    """Decode the system's text, which only chat keeps among the messages."""
    for name in _SYSTEM:
        match value.get(name):
            case {"parts": parts}:
                yield Message(Role.SYSTEM, gemini.decode_parts(parts, below(origin, name, "parts")), below(origin, name))
            case str() | list() as content:
                blocks, plain = decode_content(content, below(origin, name), decode_block)
                yield Message(Role.SYSTEM, blocks, below(origin, name), plain=plain)
