"""A request body as a vendor's prefix cache sees it: a row of tools, blocks of the system prompt and blocks of messages."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sessionkit.core.model import Json
    from sessionkit.providers.body import Steps

    JsonObject: TypeAlias = dict[str, Json]
    Read: TypeAlias = "Callable[[Steps, Json], Iterator[Unit]]"


class Wire(StrEnum):
    """Which interface a body is for."""

    ANTHROPIC = "anthropic"
    OPENAI_CHAT = "openai-chat"
    OPENAI_RESPONSES = "openai-responses"
    GEMINI = "gemini"


@dataclass(frozen=True, slots=True)
class Body:
    """A parsed request body; its media are base64 in strings, as they are sent."""

    wire: Wire
    members: JsonObject


@dataclass(frozen=True, slots=True)
class Piece:
    """A value, and the way to it."""

    steps: Steps
    value: Json


@dataclass(frozen=True, slots=True)
class Unit:
    """What a cache holds or does not hold as a whole: a tool, or a block.

    What a message says beside its blocks, such as its role, is the first piece of its first unit.
    """

    pieces: tuple[Piece, ...]


_TOOLS = "tools"
_ORDER = {
    Wire.ANTHROPIC: (_TOOLS, "system", "messages"),
    Wire.OPENAI_CHAT: (_TOOLS, "system", "messages"),  # a body that holds texts alone may as well be Anthropic's
    Wire.OPENAI_RESPONSES: (_TOOLS, "input", "instructions"),  # newer backends put the instructions behind the input
    Wire.GEMINI: ("systemInstruction", _TOOLS, "contents"),
}
_DECLARATIONS = "functionDeclarations"
_BLOCKS = ("content", "parts")
_CALLS = "tool_calls"
_MARK = "cache_control"
_TEXTS = ("text", "input_text")
_ANTHROPIC_BLOCKS = ("tool_use", "tool_result", "image", "document", "thinking", "redacted_thinking")


def read_body(value: Json) -> Body:
    """Recognise whose a body is by its members; ValueError for what is no request body."""
    members = value if isinstance(value, dict) else {}
    match members:
        case {"contents": list()}:
            return Body(Wire.GEMINI, members)
        case {"input": list() | str()}:
            return Body(Wire.OPENAI_RESPONSES, members)
        case {"messages": list()}:
            return Body(Wire.ANTHROPIC if _is_anthropic(members) else Wire.OPENAI_CHAT, members)
        case _:
            raise ValueError("not a request body: it has no list of `messages`, `input` or `contents`")


def list_name(wire: Wire) -> str:
    """Name the member that holds the conversation."""
    return next(name for name in _ORDER[wire] if name in {"messages", "input", "contents"})


def units_of(body: Body) -> Iterator[Unit]:
    """Take a body apart in the order in which its vendor reads it. Marks of the cache, and members that set other things, are left out."""
    for name in _ORDER[body.wire]:
        read = _tools if name == _TOOLS else _messages
        if body.members.get(name) is not None:
            yield from read((name,), body.members[name])


def _is_anthropic(members: JsonObject) -> bool:
    blocks = [piece.value for unit in _messages((), members["messages"]) for piece in unit.pieces]
    tools = [piece.value for unit in _tools((), members.get(_TOOLS)) for piece in unit.pieces]
    return (
        "system" in members
        or any(isinstance(block, dict) and block.get("type") in _ANTHROPIC_BLOCKS for block in blocks)
        or any(isinstance(tool, dict) and "input_schema" in tool for tool in tools)
    )


def _tools(steps: Steps, tools: Json) -> Iterator[Unit]:
    for place, tool in _items(steps, tools):
        match tool:
            case {"functionDeclarations": list() as declarations}:
                yield from _tools((*place, _DECLARATIONS), declarations)
            case _:
                yield Unit((Piece(place, _unmarked(tool)),))


def _messages(steps: Steps, messages: Json) -> Iterator[Unit]:
    """Read messages, or the blocks of a system prompt; a bare string is one of them."""
    for place, message in _items(steps, messages):
        if isinstance(message, dict) and ("role" in message or message.get("type") == "message" or "parts" in message):
            yield from _message(place, message)
        else:
            yield Unit((_block(place, message),))


def _message(steps: Steps, message: JsonObject) -> Iterator[Unit]:
    head = {name: value for name, value in message.items() if name not in {*_BLOCKS, _CALLS, _MARK}}
    blocks = [_block(place, block) for name in (*_BLOCKS, _CALLS) for place, block in _items((*steps, name), message.get(name))]
    yield Unit((Piece(steps, head), *blocks[:1]))
    yield from (Unit((block,)) for block in blocks[1:])


def _block(steps: Steps, block: Json) -> Piece:
    """A block of nothing but text is the same as a bare string."""
    match _unmarked(block):
        case {"text": str(text), **rest} if not rest or (len(rest) == 1 and rest.get("type") in _TEXTS):
            return Piece((*steps, "text"), text)
        case other:
            return Piece(steps, other)


def _items(steps: Steps, value: Json) -> Iterator[tuple[Steps, Json]]:
    """List what is in a list; anything else but null is alone in its place."""
    if isinstance(value, list):
        yield from (((*steps, at), item) for at, item in enumerate(value))
    elif value is not None:
        yield steps, value


def _unmarked(block: Json) -> Json:
    """Take the mark of the cache from a block, and from the blocks of a result."""
    if not isinstance(block, dict):
        return block
    content = block.get("content")
    inner = {"content": [_unmarked(item) for item in content]} if isinstance(content, list) else {}
    return {name: value for name, value in (block | inner).items() if name != _MARK}
