"""Put small tasks together, so that a message between processes is worth its price."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.ops.batch import Sized, Task

_BYTES = 8 << 20
_TASKS = 256
_PER_WORKER = 4
"""Groups at least, so that none waits long for another."""


def groups_of(tasks: Sequence[Sized[Task]], workers: int) -> list[range]:
    """Group neighbours, in order, for so many workers."""
    most = min(_BYTES, sum(sized.size for sized in tasks) // (workers * _PER_WORKER))
    groups: list[range] = []
    room = 0
    for index, sized in enumerate(tasks):
        if not groups or room < sized.size or len(groups[-1]) == _TASKS:
            groups.append(range(index, index))
            room = most
        groups[-1] = range(groups[-1].start, index + 1)
        room -= sized.size
    return groups


def size_of(tasks: Sequence[Sized[Task]], group: range) -> int:
    """Bytes of the tasks of a group."""
    return sum(tasks[index].size for index in group)


def largest_first(tasks: Sequence[Sized[Task]], groups: Sequence[range]) -> list[range]:
    """Order in which they are handed out: what takes long is begun early."""
    return sorted(groups, key=lambda group: size_of(tasks, group), reverse=True)
