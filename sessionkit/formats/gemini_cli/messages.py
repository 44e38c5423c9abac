"""What Gemini CLI sends for the messages of its replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.dialects.content import below, shown, string, token_counts
from sessionkit.core.dialects.gemini import decode_message, decode_parts
from sessionkit.core.dialects.turns import user_turn
from sessionkit.core.model import Message, Model, Role, Text, Thinking, ToolCall, ToolResult, Usage
from sessionkit.dataclass import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sessionkit.core.entries import JsonObject
    from sessionkit.core.model import Block, Origin
    from sessionkit.formats.gemini_cli.replay import Item

_FOR_THE_SCREEN = frozenset({"info", "warning", "error"})


def to_messages(items: Sequence[Item]) -> Iterator[Message]:
    """Decode the messages in order. A result that no message of the user holds, but only the record of its call, follows the call."""
    turns = [(item, tuple(_own(item))) for item in items]
    answered = {block.call_id for _, turn in turns for message in turn for block in message.content if isinstance(block, ToolResult)}
    for item, turn in turns:
        yield from turn
        blocks = [block for call, place in _calls(item) if string(call.get("id")) not in answered for block in _results(call, place)]
        if blocks:
            yield from user_turn(blocks, item.origin)


def _own(item: Item) -> Iterable[Message]:
    value, origin = item.value, item.origin
    match value:
        case {"type": "user"}:
            return user_turn(_content(value, origin), origin)
        case {"type": "gemini"}:
            return (_answer(item),)
        case {"type": str(type_)} if type_ in _FOR_THE_SCREEN:
            return ()
        case {"type": type_}:
            return (Message(Role.META, (), origin, carried={"role": str(type_)}),)
        case _:
            return decode_message(value, origin)


def _content(value: JsonObject, origin: Origin) -> tuple[Block, ...]:
    content = value.get("content")
    return decode_parts(content, below(origin, "content")) if content else ()


def _answer(item: Item) -> Message:
    """Decode an answer: its content alone if that holds calls or thoughts, else what is recorded beside it as well."""
    blocks = _content(item.value, item.origin)
    if not any(isinstance(block, ToolCall | Thinking) for block in blocks):
        calls = (_call(call, place) for call, place in _calls(item))
        blocks = (*_thoughts(item.value, item.origin), *blocks, *calls)
    measured = item.measured or {}
    name = string(item.value.get("model")) or string(measured.get("model"))
    model = Model("google", "google-generative-ai", name) if name else None
    return Message(Role.ASSISTANT, blocks, item.origin, usage=_usage(measured.get("tokens")), model=model)


def _thoughts(value: JsonObject, origin: Origin) -> Iterator[Thinking]:
    thoughts = value.get("thoughts")
    for at, thought in enumerate(thoughts if isinstance(thoughts, list) else []):
        match thought:
            case {"subject": str(subject), "description": str(description)}:
                yield Thinking(f"**{subject}**\n{description}", origin=below(origin, "thoughts", at))


def _calls(item: Item) -> Iterator[tuple[JsonObject, Origin]]:
    calls = item.value.get("toolCalls")
    for at, call in enumerate(calls if isinstance(calls, list) else []):
        if isinstance(call, dict):
            yield call, below(item.origin, "toolCalls", at)


def _call(call: JsonObject, origin: Origin) -> Block:
    return replace(decode_parts({"functionCall": call}, origin)[0], origin=origin)


def _results(call: JsonObject, origin: Origin) -> Iterator[Block]:
    """Decode what a call gave back: parts with a response in them, or what stands for one."""
    result, place = call.get("result"), below(origin, "result")
    blocks = decode_parts(result, place)
    if any(isinstance(block, ToolResult) for block in blocks):
        yield from blocks
    elif result is not None:
        plain = len(blocks) == 1 and isinstance(blocks[0], Text)
        yield ToolResult(string(call.get("id")), string(call.get("name")), shown(blocks), plain=plain, origin=place)


def _usage(tokens: object) -> Usage | None:
    match token_counts(tokens, "input", "cached", "output", "thoughts", "total"):
        case [sent, cached, output, thoughts, total]:
            return Usage(max(0, sent - cached), output + thoughts, cached, total=total)
        case _:
            return None
