"""Every string of a line, wherever it stands: in opaque places too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.media.scopes import escape_step
from sessionkit.core.media.tree import Array, Object, Text
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.media.tree import Forest, Node


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value and the way to it: the name or index that it stands under, in the container that `outer` is; None for the root."""

    node: Node
    outer: Leaf | None
    step: str | int

    def pointer(self) -> str:
        """RFC 6901 pointer from the line's value."""
        steps = []
        leaf: Leaf | None = self
        while leaf and leaf.outer:
            steps.append(escape_step(leaf.step))
            leaf = leaf.outer
        return "".join(f"/{step}" for step in reversed(steps))


def strings(forest: Forest) -> Iterator[Leaf]:
    """All strings but names, in the order of the text; no recursion, so any depth."""
    stack = [Leaf(root, None, "") for root in reversed(forest.roots)]
    while stack:
        leaf = stack.pop()
        match leaf.node:
            case Text():
                yield leaf
            case Array(items=items):
                stack.extend(Leaf(items[index], leaf, index) for index in range(len(items) - 1, -1, -1))
            case Object(members=members):
                stack.extend(Leaf(member.value, leaf, member.name) for member in reversed(members))
