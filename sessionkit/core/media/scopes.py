"""Walk a line's values: every object and array with the names around it, which is all that shapes are decided by."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from sessionkit.core.media.tree import Array, Node, Object, Text, decode
from sessionkit.dataclass import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterator

_ARGUMENTS = frozenset({"arguments", "args", "input_audio"})
_TOOL_CALLS = frozenset({"tool_use", "custom_tool_call"})
_PROSE = frozenset({"text", "thinking", "content", "summary"})
_DECOYS = frozenset({"signature", "thinkingSignature", "textSignature", "thoughtSignature", "encrypted_content"})
_DECOY_TYPES = frozenset({"redacted_thinking", "input_audio"})


class Opacity(Enum):
    """What is never searched: nothing, the strings right under a name, or all that is below it."""

    CLEAR = auto()
    STRINGS = auto()
    ALL = auto()


def opacity(name: str, type_: str) -> Opacity:
    """Opacity of what stands under `name` in an object whose `type` is `type_` (empty when it has none).

    Arguments of tool calls are the model's own words; prose may quote base64; signatures only look like it.
    """
    if name in _ARGUMENTS or (name == "input" and type_ in _TOOL_CALLS):
        return Opacity.ALL
    if name in _PROSE or name in _DECOYS or (name == "data" and type_ in _DECOY_TYPES):
        return Opacity.STRINGS
    return Opacity.CLEAR


@dataclass(frozen=True, slots=True)
class Scope:
    """An object or array that is open to search, and the way to it.

    `step` is its name or index in `outer`; `name` the nearest name above it or above the arrays that it stands in.
    `strings` tells whether strings right in an array are open to search; `repeated` whether this object, or one around it,
    has a name twice.
    """

    node: Object | Array
    outer: Scope | None
    step: str | int
    name: str
    strings: Opacity = Opacity.CLEAR
    repeated: bool = False
    type: str = ""
    names: dict[str, Node] = field(default_factory=dict)

    def pointer(self) -> str:
        """RFC 6901 pointer from the line's value to this node."""
        steps = []
        scope: Scope | None = self
        while scope and scope.outer:
            steps.append(escape_step(scope.step))
            scope = scope.outer
        return "".join(f"/{step}" for step in reversed(steps))


NO_SCOPE = Scope(Array(0), None, "", "")
"""Stands for the scope of what is kept longer than its line."""


def escape_step(step: str | int) -> str:
    """Write one step of an RFC 6901 pointer."""
    return str(step).replace("~", "~0").replace("/", "~1")


def walk(root: Node, text: bytes) -> Iterator[Scope]:
    """Every searchable object and array below the root, the root first; no recursion, so any depth."""
    if not isinstance(root, (Object, Array)):
        return
    stack = [_open(root, None, "", text)]
    while stack:
        scope = stack.pop()
        yield scope
        stack += [_open(node, scope, step, text) for step, node in _inner(scope)][::-1]


def _inner(scope: Scope) -> Iterator[tuple[str | int, Object | Array]]:
    if isinstance(scope.node, Array):
        for index, item in enumerate(scope.node.items):
            if isinstance(item, (Object, Array)):
                yield index, item
        return
    for member in scope.node.members:
        if isinstance(member.value, (Object, Array)) and opacity(member.name, scope.type) is not Opacity.ALL:
            yield member.name, member.value


def _open(node: Object | Array, outer: Scope | None, step: str | int, text: bytes) -> Scope:
    around = outer is not None and outer.repeated
    if isinstance(node, Array):
        return _open_array(node, outer, step, repeated=around)
    names = {member.name: member.value for member in node.members}
    type_ = names.get("type")
    return Scope(
        node,
        outer,
        step,
        name=step if isinstance(step, str) else outer.name if outer else "",
        strings=_strings(outer, step),
        repeated=around or len(names) < len(node.members),
        type=decode(text[type_.start : type_.stop]) if isinstance(type_, Text) else "",
        names=names,
    )


def _open_array(node: Array, outer: Scope | None, step: str | int, *, repeated: bool) -> Scope:
    name = step if isinstance(step, str) else outer.name if outer else ""
    return Scope(node, outer, step, name, _strings(outer, step), repeated)


def _strings(outer: Scope | None, step: str | int) -> Opacity:
    """Opacity of a string that stands where this node stands."""
    if outer is None:
        return Opacity.CLEAR
    return opacity(step, outer.type) if isinstance(step, str) else outer.strings
