"""The tree of a session's entries, and the path through it that its agent follows: for agents that chain their entries by ids."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass, field
from sessionkit.formats.chain import ancestors, index, walk
from sessionkit.formats.claude_code.branch import is_boundary, is_sidechain, newest_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.formats.records import Record

_SPEAKERS = frozenset({"user", "assistant", "tool_result", "message", "custom_message"})


@dataclass(frozen=True)
class Tree:
    """The entries that have ids, in the order of the file, and those of the path, from the highest that can be reached to the leaf."""

    records: tuple[Record, ...] = ()
    path: tuple[Record, ...] = ()
    by_id: dict[str, Record] = field(default_factory=dict)

    @property
    def lost(self) -> Record | None:
        """The entry at which the path ends because its parent is not in the file."""
        top = self.path[0] if self.path else None
        return top if top and top.parent and top.parent not in self.by_id else None

    @property
    def is_cut(self) -> bool:
        """Whether the path ends before a root: what stands above may belong to it."""
        return bool(self.path and self.path[0].parent)

    @cached_property
    def sent(self) -> tuple[Record, ...]:
        """The part of the path from its newest compaction on."""
        at = next((at for at in reversed(range(len(self.path))) if is_compaction(self.path[at])), 0)
        return self.path[at:]

    @cached_property
    def lines(self) -> frozenset[int]:
        """The lines of the path."""
        return frozenset(record.origin.line for record in self.path)

    def before(self, record: Record) -> Record | None:
        """Find the nearest entry before one in the file that the same agent wrote, and that does not hang on it."""
        hanging = set(map(id, self._hanging_on(record)))
        for at in reversed(range(bisect_left(self._numbers, record.origin.line))):
            other = self.records[at]
            if is_sidechain(other) is is_sidechain(record) and id(other) not in hanging:
                return other
        return None

    def at(self, line: int) -> tuple[Record, ...]:
        """Find the entries of a line."""
        return self.records[bisect_left(self._numbers, line) : bisect_right(self._numbers, line)]

    def speaker(self, record: Record) -> Record:
        """Find the message that an entry is, or that is nearest above it; the entry itself if there is none."""
        return next((step for step in ancestors(record, self.by_id) if is_message(step)), record)

    def _hanging_on(self, record: Record) -> Iterator[Record]:
        """Give the entry and all below it, each once. Of entries with one id nothing hangs on those that do not count."""
        todo, seen = [record], {id(record)}
        while todo:
            above = todo.pop()
            yield above
            below = self._below.get(above.id, ()) if self.by_id.get(above.id) is above else ()
            todo += [other for other in below if id(other) not in seen]
            seen.update(map(id, below))

    @cached_property
    def _below(self) -> dict[str, list[Record]]:
        found: dict[str, list[Record]] = defaultdict(list)
        for record in self.records:
            found[record.parent].append(record)
        return found

    @cached_property
    def _numbers(self) -> list[int]:
        return [record.origin.line for record in self.records]


def tree_of(records: Iterable[Record], format_: str) -> Tree:
    """Build the tree of a session, as its agent does; an empty one for agents that keep no tree."""
    match format_:
        case "claude-code":
            return _claude_code([record for record in records if record.id and ("parentUuid" in record.value or is_message(record))])
        case "qwen-code":
            return _qwen_code([record for record in records if record.id])
        case "pi":
            return _pi(list(records))
        case _:
            return Tree()


def is_compaction(record: Record) -> bool:
    """Whether the history before it is replaced here."""
    match record.value:
        case {"type": "compaction"} | {"systemPayload": {"compressedHistory": [_, *_]}}:
            return True
        case _:
            return is_boundary(record)


def is_message(record: Record) -> bool:
    """Whether an entry is one that the model sees, as a rule."""
    return record.type in _SPEAKERS


def _claude_code(links: list[Record]) -> Tree:
    by_id = index(links)
    return Tree(tuple(links), walk(newest_terminal(by_id), by_id).records, by_id)


def _qwen_code(links: list[Record]) -> Tree:
    """Records of one id are fragments of one, in the place of the first."""
    by_id: dict[str, Record] = {}
    for record in links:
        by_id.setdefault(record.id, record)
    leaf = by_id[links[-1].id] if links else None
    return Tree(tuple(links), walk(leaf, by_id).records, by_id)


def _pi(records: list[Record]) -> Tree:
    """The header is no part of the tree; of version 1 no entry has an id."""
    entries = [record for record in records if record.type != "session"]
    if any(not record.id for record in entries):
        return Tree()
    by_id = index(entries)
    return Tree(tuple(entries), walk(_leaf(entries, by_id), by_id).records, by_id)


def _leaf(entries: list[Record], by_id: dict[str, Record]) -> Record | None:
    match entries:
        case [*_, last] if last.type == "leaf":
            return by_id.get(str(last.value.get("targetId")), last)
        case [*_, last]:
            return last
        case _:
            return None
