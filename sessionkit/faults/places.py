"""Where the values of a raw line stand in its bytes, by their pointers."""

from __future__ import annotations

from bisect import bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING

from sessionkit.core.media.scopes import escape_step
from sessionkit.core.media.tree import Array, Object, parse
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from sessionkit.core.media.tree import Member, Node


class NoPlaceError(LookupError):
    """A pointer leads nowhere in this line, or the line is not one JSON value; the message says which."""


@dataclass(frozen=True, slots=True)
class Span:
    """Bytes `start` to `stop` of the raw line."""

    start: int
    stop: int


class Places:
    """One raw line laid out; `line` is its number. Of a name that stands twice in an object the last one is meant, as in JavaScript.

    Raises NoPlaceError for a line that is not one whole JSON value; NULs, a byte order mark and white space around it are allowed.
    """

    def __init__(self, raw: bytes, line: int = 1) -> None:
        self.raw = raw
        self.line = line
        forest = parse(raw)
        if forest.error is not None or len(forest.roots) != 1:
            raise NoPlaceError(f"{len(forest.roots)} values are glued on its line" if forest.error is None else "its line is no JSON")
        self._root = forest.roots[0]

    def has(self, pointer: str) -> bool:
        """Whether the pointer leads to a value."""
        try:
            self._node(pointer)
        except NoPlaceError:
            return False
        return True

    def value(self, pointer: str) -> Span:
        """Bytes of a value; of a string its quotes too."""
        node = self._node(pointer)
        return Span(node.start, node.stop)

    def key(self, pointer: str) -> Span | None:
        """Bytes of a member's name with its quotes; None for an item."""
        outer, step = self._outer(pointer)
        return _key(outer, step)

    def text(self, pointer: str) -> bytes:
        """The value as it is written."""
        span = self.value(pointer)
        return self.raw[span.start : span.stop]

    def names(self, pointer: str) -> tuple[str, ...]:
        """Names of an object's members; none for anything else."""
        node = self._node(pointer)
        return tuple(member.name for member in node.members) if isinstance(node, Object) else ()

    def size(self, pointer: str) -> int:
        """How many members or items a value has; 0 for what is no container."""
        return _count(self._node(pointer))

    def end(self, pointer: str) -> int:
        """Place of the closing bracket or brace of a container: where one more goes in, behind a comma unless it is empty."""
        return self._node(pointer).stop - 1

    def at(self, position: int) -> str:
        """Point to the innermost value that holds a byte."""
        return _pointer((self._root,), position)

    def taken_out(self, pointers: Collection[str]) -> tuple[tuple[str, Span], ...]:
        """Bytes that go so that items or members of one container go, each with the commas that are left over with it.

        The spans are in order and do not overlap. All pointers must lead into the same container.
        """
        outer = self._outer(next(iter(pointers)))[0]
        gone = sorted((self._index(pointer), pointer) for pointer in pointers)
        cuts = _cuts(outer, [index for index, _ in gone])
        return tuple((pointer, cut) for (_, pointer), cut in zip(gone, cuts, strict=True))

    def _index(self, pointer: str) -> int:
        outer, step = self._outer(pointer)
        if isinstance(outer, Object):
            return max(at for at, member in enumerate(outer.members) if member.name == step)
        return int(step)

    def _node(self, pointer: str) -> Node:
        node = self._root
        for step in steps_of(pointer):
            node = _child(node, step, pointer)
        return node

    def _outer(self, pointer: str) -> tuple[Object | Array, str]:
        head, _, _ = pointer.rpartition("/")
        outer = self._node(head)
        if not pointer or not isinstance(outer, Object | Array):
            raise NoPlaceError(f"{pointer or 'the line'} stands in nothing")
        self._node(pointer)
        return outer, steps_of(pointer)[-1]


def steps_of(pointer: str) -> tuple[str, ...]:
    """Part a pointer into its names and indices, unescaped."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])


def pointer_at(raw: bytes, position: int) -> str:
    """Point to the innermost value that holds a byte of a raw line; empty where the line is not one whole value around it."""
    return _pointer(parse(raw).roots, position)


def _pointer(roots: Sequence[Node], position: int) -> str:
    at = bisect_right(roots, position, key=attrgetter("start")) - 1
    found = ("", roots[at]) if at >= 0 else None
    steps: list[str] = []
    while found and position < found[1].stop:
        steps.append(found[0])
        found = _last_before(found[1], position)
    return "/".join(steps)


def outer_of(pointer: str) -> str:
    """Pointer to the container around a value."""
    return pointer.rpartition("/")[0]


def _last_before(node: Node, position: int) -> tuple[str, Node] | None:
    """Find the last member or item of a container that begins at a byte or before it, and its step; None if there is none."""
    match node:
        case Object(members=members):
            at = bisect_right(members, position, key=attrgetter("value.start")) - 1
            return (escape_step(members[at].name), members[at].value) if at >= 0 else None
        case Array(items=items):
            at = bisect_right(items, position, key=attrgetter("start")) - 1
            return (str(at), items[at]) if at >= 0 else None
        case _:
            return None


def _child(node: Node, step: str, pointer: str) -> Node:
    match node:
        case Object(members=members):
            found = _member(members, step)
            if found:
                return found.value
        case Array(items=items) if step.isdecimal() and int(step) < len(items):
            return items[int(step)]
    raise NoPlaceError(f"nothing stands at {pointer}")


def _member(members: Sequence[Member], name: str) -> Member | None:
    return next((member for member in reversed(members) if member.name == name), None)


def _key(outer: Object | Array, step: str) -> Span | None:
    found = _member(outer.members, step) if isinstance(outer, Object) else None
    return Span(found.start, found.stop) if found else None


def _count(node: Node) -> int:
    match node:
        case Object(members=inner) | Array(items=inner):
            return len(inner)
        case _:
            return 0


def _span(outer: Object | Array, at: int) -> Span:
    """Bytes of a member with its name, or of an item."""
    if isinstance(outer, Object):
        return Span(outer.members[at].start, outer.members[at].value.stop)
    return Span(outer.items[at].start, outer.items[at].stop)


def _cuts(outer: Object | Array, gone: Sequence[int]) -> Iterator[Span]:
    """Take a comma along with each item that goes: the one before it, or the one behind it if nothing before it stays."""
    count, going = _count(outer), frozenset(gone)
    first_left = next((at for at in range(count) if at not in going), count)
    for at in gone:
        span = _span(outer, at)
        if at > first_left:
            yield Span(_span(outer, at - 1).stop, span.stop)
        else:
            yield Span(span.start, _span(outer, at + 1).start if at + 1 < count else span.stop)
