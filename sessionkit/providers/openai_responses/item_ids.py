"""Ids of items. The interface refuses a request in which two items have the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.dialects.content import string
from sessionkit.providers.body import Placed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sessionkit.providers.body import Tree

_LONGEST = 64


def with_ids_of_their_own(items: Iterable[Tree]) -> Iterator[Tree]:
    """Give each id to the first item that has it. A later message gets another, a call goes without; a thought is the same thought."""
    taken: set[str] = set()
    for item in items:
        match item:
            case Placed(dict(members), origin) if (id_ := string(members.get("id"))) in taken:
                yield from (Placed(other, origin) for other in _renamed(members, id_, taken))
            case Placed({"id": str(id_)}):
                taken.add(id_)
                yield item
            case _:
                yield item


def _renamed(members: Mapping[str, Tree], id_: str, taken: set[str]) -> Iterator[Tree]:
    match members.get("type"):
        case "reasoning":
            pass
        case "message":
            free = _free(id_, taken)
            taken.add(free)
            yield {**members, "id": free}
        case _:
            yield {name: value for name, value in members.items() if name != "id"}


def _free(id_: str, taken: set[str]) -> str:
    number = 2
    while (free := f"{id_[: _LONGEST - len(f'_{number}')]}_{number}") in taken:
        number += 1
    return free
