"""JSON with places: values that know which bytes of the text they are, which no JSON library tells.

Accepts what agents write: the JSON grammar (RFC 8259), NaN and Infinity, lone surrogates, any bytes inside strings but a newline;
any depth; several values glued together; a byte order mark or NUL bytes before a value.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(slots=True)
class Text:
    """A string token with its quotes."""

    start: int
    stop: int


@dataclass(slots=True)
class Scalar:
    """A number or literal token."""

    start: int
    stop: int


@dataclass(slots=True)
class Array:
    """An array, from bracket to bracket."""

    start: int
    stop: int = 0
    items: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Member:
    """A name, decoded, with the place of its token; and its value."""

    name: str
    start: int
    stop: int
    value: Node


@dataclass(slots=True)
class Object:
    """An object, from brace to brace; members in order, repeated names included."""

    start: int
    stop: int = 0
    members: list[Member] = field(default_factory=list)


Node: TypeAlias = Text | Scalar | Array | Object


@dataclass(frozen=True, slots=True)
class Forest:
    """The whole values of a text; and where and why reading stopped, when that was before its end."""

    roots: list[Node]
    error: int | None
    reason: str = ""


_STRING = rb'"[^"\\\n]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\n]*+)*+"'
_WHITE = rb"[ \t\r\n]*+"
_skip = re.compile(rb"(?:[ \t\r\n\x00]|\xef\xbb\xbf)*+").match
_name = re.compile(_WHITE + rb"(" + _STRING + rb")" + _WHITE + rb":" + _WHITE).match
_value = re.compile(
    rb"(?:(" + _STRING + rb")|([{\[])|(-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null|NaN|-?Infinity))" + _WHITE,
).match
_first = re.compile(_WHITE + rb"([}\]])?").match
_next = re.compile(rb"([,}\]])" + _WHITE).match
_torn = re.compile(rb'(?:"(?:[^"\\]|\\.)*+\\?"?|[a-zA-Z]*+)\s*+\Z', re.DOTALL).match


class _UnexpectedError(ValueError):
    """What the grammar does not allow, with its place."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


def parse(text: bytes) -> Forest:
    """Read value after value; those that are whole before the first error count, whatever comes behind."""
    roots: list[Node] = []
    position = _end(_skip(text, 0))
    try:
        while position < len(text):
            root, position = _parse_value(text, position)
            roots.append(root)
            position = _end(_skip(text, position))
    except _UnexpectedError as error:
        return Forest(roots, error.position, _reason(text, error.position))
    return Forest(roots, None)


def decode(token: bytes) -> str:
    """Give a string token's value; lone surrogates and control characters stay, invalid UTF-8 becomes surrogate escapes."""
    text = token.decode("utf-8", "surrogateescape")
    return str(json.loads(text, strict=False)) if b"\\" in token else text[1:-1]


def _parse_value(text: bytes, position: int) -> tuple[Node, int]:
    """Read one value with a stack of its own: nesting is as deep as the text says."""
    open_nodes: list[Array | Object] = []
    while True:
        node, position = _read_value(text, position, open_nodes)
        if isinstance(node, (Array, Object)) and not node.stop:
            open_nodes.append(node)
            if isinstance(node, Object):
                position = _read_name(text, position, node)
            continue
        position, finished = _close(text, position, open_nodes)
        if not open_nodes:
            return finished or node, position


def _read_value(text: bytes, position: int, open_nodes: list[Array | Object]) -> tuple[Node, int]:
    found = _value(text, position)
    if not found:
        raise _UnexpectedError(position)
    node: Node
    match found.lastindex:
        case 1:
            node = Text(*found.span(1))
        case 2:
            node = Object(position) if found[2] == b"{" else Array(position)
        case _:
            node = Scalar(*found.span(3))
    if open_nodes:
        _attach(node, open_nodes[-1])
    if isinstance(node, (Array, Object)):
        return node, _enter(text, node, found.end())
    return node, found.end()


def _attach(node: Node, parent: Array | Object) -> None:
    if isinstance(parent, Array):
        parent.items.append(node)
    else:
        parent.members[-1].value = node


def _enter(text: bytes, node: Array | Object, position: int) -> int:
    """Step inside; an empty one is closed at once."""
    found = _first(text, position)
    if not found or not found[1]:
        return position
    if found[1] != _closing(node):
        raise _UnexpectedError(found.start(1))
    node.stop = found.end(1)
    return _end(_white(text, node.stop))


_white = re.compile(_WHITE).match


def _read_name(text: bytes, position: int, parent: Object) -> int:
    found = _name(text, position)
    if not found:
        raise _UnexpectedError(position)
    parent.members.append(Member(decode(found[1]), *found.span(1), _NOTHING))
    return found.end()


_NOTHING = Scalar(0, 0)


def _close(text: bytes, position: int, open_nodes: list[Array | Object]) -> tuple[int, Node | None]:
    """Go behind a value: past the comma to the next one, or out of every container that ends here."""
    finished: Node | None = None
    while open_nodes:
        parent = open_nodes[-1]
        found = _next(text, position)
        if not found:
            raise _UnexpectedError(position)
        position = found.end()
        if found[1] == b",":
            if isinstance(parent, Object):
                position = _read_name(text, position, parent)
            return position, None
        if found[1] != _closing(parent):
            raise _UnexpectedError(found.start(1))
        parent.stop = found.end(1)
        finished = open_nodes.pop()
    return position, finished


def _closing(node: Array | Object) -> bytes:
    return b"]" if isinstance(node, Array) else b"}"


def _end(found: re.Match[bytes] | None) -> int:
    return found.end() if found else 0


def _reason(text: bytes, position: int) -> str:
    if _torn(text, position):
        return "the line ends in the middle of a value"
    return f"unexpected {chr(text[position])!a}"
