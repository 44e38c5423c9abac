"""A result as people see it on a screen, and as it stands in the history: two things, so that neither has to do for the other."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, cast

from sessionkit.dataclass import replace
from sessionkit.toolresult.cutting import Change, changes
from sessionkit.toolresult.limits import LIMITS, Limits
from sessionkit.toolresult.results import find_results

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sessionkit.core.model import Json
    from sessionkit.toolresult.prose import Result, Steps


def event_view(result: Json, limits: Limits = LIMITS, spell: Callable[[str], str] = str) -> str:
    """Give the texts alone, cut, also beside media; one below the other. Raises NoResultError.

    `spell` makes of a text what is shown, which is then within the limits.
    """
    return "\n".join(text for found in find_results(result) for text in _texts(_spelt(found, spell), limits))


def message_view(result: Json, limits: Limits = LIMITS) -> Json:
    """Give all blocks in the same shape, with texts that are cut unless there are media beside them. Raises NoResultError."""
    root = [deepcopy(result)]
    changed = [change for found in find_results(result) for change in changes(found, limits)]
    for change in _each_block_once(changed)[::-1]:  # so that the numbers of items before it stay
        _apply(root, change)
    return root[0]


def _each_block_once(changed: list[Change]) -> list[Change]:
    return list({change.block or change.spot.steps: change for change in changed}.values())


def _spelt(result: Result, spell: Callable[[str], str]) -> Result:
    return replace(result, texts=tuple(replace(spot, text=spell(spot.text)) for spot in result.texts))


def _texts(result: Result, limits: Limits) -> Iterator[str]:
    changed = {change.spot: change.text for change in changes(replace(result, has_media=False), limits)}
    for spot in result.texts:
        text = changed.get(spot, spot.text)
        if text:
            yield text


def _apply(root: list[Json], change: Change) -> None:
    holder, last = _holder(root, change.block or change.spot.steps)
    if change.text is None:
        del holder[last]
    else:
        holder[last] = change.text


def _holder(root: list[Json], steps: Steps) -> tuple[dict[str | int, Json], str | int]:
    """Find the list or object that holds a value, and where in it."""
    holder: object = root
    last: str | int = 0
    for step in steps:
        holder, last = cast("dict[str | int, Json]", holder)[last], step
    return cast("dict[str | int, Json]", holder), last
