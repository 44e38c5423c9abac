"""JSON with places: values that know which bytes of the text they are, which no JSON library tells.

Accepts what agents write: the JSON grammar (RFC 8259), NaN and Infinity, lone surrogates, any bytes inside strings but a newline;
any depth; several values glued together; a byte order mark or NUL bytes before a value.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeAlias

from sessionkit.dataclass import dataclass, field


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
_SCALAR = rb"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null|NaN|-?Infinity"
# A value that ends here with what follows it, or a container that opens here and may end at once.
_VALUE = rb"(?:(?:(?P<text>%b)|(?P<scalar>%b))%b(?P<then>[,}\]])?+|(?P<open>[{\[])%b(?P<shut>[}\]])?+)%b" % (
    _STRING,
    _SCALAR,
    _WHITE,
    _WHITE,
    _WHITE,
)
_skip = re.compile(rb"(?:[ \t\r\n\x00]|\xef\xbb\xbf)*+").match
_item = re.compile(_VALUE).match
_NAME = rb"(?P<name>%b)%b:%b" % (_STRING, _WHITE, _WHITE)
_member = re.compile(_NAME + _VALUE).match
_then = re.compile(rb"(?P<then>[,}\]])" + _WHITE).match
_TORN = rb'(?s:(?:"(?:[^"\\]|\\.)*+\\?"?|[a-zA-Z]*+)\s*+\Z)'


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
    if b"\\" not in token:
        return text[1:-1]
    import json  # noqa: PLC0415  names seldom have escapes

    return str(json.loads(text, strict=False))


def _parse_value(text: bytes, position: int) -> tuple[Node, int]:
    """Read one value with a stack of its own: nesting is as deep as the text says."""
    stack: list[Array | Object] = []
    root: Node | None = None
    while True:
        parent = stack[-1] if stack else None
        found = (_member if isinstance(parent, Object) else _item)(text, position)
        if not found:
            raise _UnexpectedError(_behind_name(text, position, parent))
        node = _node(found, parent)
        root = root or node
        if isinstance(node, (Text, Scalar)):
            if not stack:
                return root, node.stop
            position = _go_on(text, found, "then", stack)
        else:
            stack.append(node)
            position = found.end()
            if found["shut"]:
                position = _go_on(text, found, "shut", stack)
        if not stack:
            return root, position


def _go_on(text: bytes, found: re.Match[bytes], group: str, stack: list[Array | Object]) -> int:
    """Go past the comma to the next value, or out of every container that ends here."""
    while stack:
        if not found[group]:
            found, group = _expect(text, found.end()), "then"
        if found[group] == b",":
            break
        if found[group] != _closing(stack[-1]):
            raise _UnexpectedError(found.start(group))
        stack.pop().stop = found.end(group)
        if stack:
            found, group = _expect(text, found.end()), "then"
    return found.end()


def _behind_name(text: bytes, position: int, parent: Node | None) -> int:
    """Find where a member went wrong: at its value, if its name is whole."""
    found = re.compile(_NAME).match(text, position) if isinstance(parent, Object) else None
    return found.end() if found else position


def _expect(text: bytes, position: int) -> re.Match[bytes]:
    found = _then(text, position)
    if not found:
        raise _UnexpectedError(position)
    return found


def _node(found: re.Match[bytes], parent: Array | Object | None) -> Node:
    """Make the node of a value, and hang it into its parent."""
    node: Node
    if found["text"] is not None:
        node = Text(*found.span("text"))
    elif found["open"]:
        node = Object(found.start("open")) if found["open"] == b"{" else Array(found.start("open"))
    else:
        node = Scalar(*found.span("scalar"))
    if isinstance(parent, Object):
        parent.members.append(Member(_decode_name(found["name"]), *found.span("name"), node))
    elif parent is not None:
        parent.items.append(node)
    return node


def _closing(node: Array | Object) -> bytes:
    return b"]" if isinstance(node, Array) else b"}"


@lru_cache(maxsize=4096)
def _decode_name(token: bytes) -> str:
    return decode(token)


def _end(found: re.Match[bytes] | None) -> int:
    return found.end() if found else 0


def _reason(text: bytes, position: int) -> str:
    if re.compile(_TORN).match(text, position):
        return "the line ends in the middle of a value"
    return f"unexpected {chr(text[position])!a}"
