"""Numbers that JSON does not know, though parsers read them: NaN, infinities, and 1e400, which is too large for any other."""

from __future__ import annotations

from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Final

from sessionkit.core.media.scopes import escape_step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sessionkit.core.model import Json

_MANY: Final = 3


def non_finite(value: Json) -> list[str]:
    """RFC 6901 pointers to all of them, however deep."""
    return [pointer for found, pointer in walk(value) if _is_unknown(found)] if _holds_any(value) else []


def finite(value: Json) -> Json:
    """Put null in the place of each; `value` is not changed."""
    root: list[Json] = [None]
    todo: list[tuple[Json, Callable[[Json], None]]] = [(value, partial(root.__setitem__, 0))]
    while todo:
        found, put = todo.pop()
        match found:
            case dict():
                members: dict[str, Json] = dict.fromkeys(found)
                put(members)
                todo += [(member, partial(members.__setitem__, name)) for name, member in found.items()]
            case list():
                items: list[Json] = [None] * len(found)
                put(items)
                todo += [(item, partial(items.__setitem__, at)) for at, item in enumerate(found)]
            case _:
                put(None if _is_unknown(found) else found)
    return root[0]


def told(places: Sequence[str]) -> str:
    """Say where they are."""
    more = f" and {len(places) - _MANY:,} more" if len(places) > _MANY else ""
    named = ", ".join(place or "(root)" for place in places[:_MANY])
    return f"null stands for a number that JSON does not know at {named}{more}"


def walk(value: Json) -> Iterator[tuple[Json, str]]:
    """Every value, outermost first, and the pointer to it."""
    todo: list[tuple[Json, str]] = [(value, "")]
    while todo:
        found, pointer = todo.pop()
        yield found, pointer
        match found:
            case dict():
                inner = [(member, f"{pointer}/{escape_step(name)}") for name, member in found.items()]
            case list():
                inner = [(item, f"{pointer}/{at}") for at, item in enumerate(found)]
            case _:
                continue
        todo += reversed(inner)


def _is_unknown(found: Json) -> bool:
    return isinstance(found, float) and not isfinite(found)


def _holds_any(value: Json) -> bool:
    """Look without keeping places, which hardly any value needs."""
    todo = [value]
    while todo:
        match todo.pop():
            case dict() as members:
                todo += members.values()
            case list() as items:
                todo += items
            case found if _is_unknown(found):
                return True
    return False
