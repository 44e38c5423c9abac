"""Read the references of a line with the JSON library, which takes a twentieth of the time of a look.

It tells no places, and of several members of one name only the last. So a glance says what a look would say, or nothing: wherever there
could be a difference, or inline media, it is in doubt.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sessionkit.core.assets import AssetName
from sessionkit.core.jsonl import loads
from sessionkit.core.media.scopes import Opacity, escape_step, opacity
from sessionkit.core.media.shapes import NAMES
from sessionkit.core.pixels import Size
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from sessionkit.core.media.triage import Candidate

    Steps: TypeAlias = tuple[str | int, ...]

# A name of base64; a data URL that no reference has for its prefix. Most quotes are followed by neither, which one letter tells.
_doubtful = re.compile(
    rb'"(?=[%b])(?:(?:%b)"[ \t\r]*:|[dD][aA][tT][aA]:(?<!"asset_prefix":".{5}))'
    % ("".join(sorted({name[0] for name in NAMES} | {"d", "D"})).encode(), "|".join(sorted(NAMES)).encode())
).search
_escaped_letter = re.compile(rb"\\u00[2-7]").search
"""Match what may stand in one of those names."""
_TOKEN = b'"asset'
_run = re.compile(
    rb'"asset_path":"images/[^"\\]+"(?:,"width":[1-9][0-9]{0,9},"height":[1-9][0-9]{0,9})?'
    rb'(,"asset_prefix":"data:[^,"\\]*;base64,")?,"asset_field":"[^"\\]+"'
).findall
_MOST_PIXELS = 10**10
_NESTED = (dict, list)
_CLEAR, _ALL = Opacity.CLEAR, Opacity.ALL  # each time that an enumeration is asked takes as long as half a step of the walk


@dataclass(frozen=True, slots=True)
class Sight:
    """A reference that stands for a member: its asset, the size in pixels that it states, and an RFC 6901 pointer to its object."""

    asset: AssetName
    size: Size | None
    pointer: str


class _DoubtError(ValueError):
    """Leaves a walk: a look has to tell."""


class Glancer:
    """Glances at one line after the other. Most references stand where the last one stood, so they are looked for there first."""

    def __init__(self) -> None:
        self._steps: Steps = ()
        self._pointer = ""

    def glance(self, data: bytearray, candidate: Candidate) -> list[Sight] | None:
        """Tell all references of a line that is whole and has no inline media; None in doubt."""
        raw = bytes(data[candidate.start : candidate.stop])
        if candidate.runs or _doubtful(raw) or _escaped_letter(raw):
            return None
        prefixes = _run(raw)
        if raw.count(_TOKEN) != 2 * len(prefixes) + sum(map(bool, prefixes)):
            return None
        try:
            sights = self._sights(loads(raw), len(prefixes))
        except ValueError:
            return None
        return sights if len(sights) == len(prefixes) else None

    def _sights(self, root: object, runs: int) -> list[Sight]:
        """Find the objects of so many runs. There are no others, so that one is all of them if one was written."""
        if runs == 1 and (value := _follow(root, self._steps)) is not None:
            return [_sight(value, self._pointer)]
        sights = []
        for value, steps in _walk(root) if runs else ():
            if steps != self._steps:
                self._steps, self._pointer = steps, "".join([f"/{escape_step(step)}" for step in steps])
            sights.append(_sight(value, self._pointer))
        return sights


def _follow(root: object, steps: Steps) -> dict[str, object] | None:
    """The object with a path that stands there, if there is one and the way to it is open to search."""
    value: Any = root
    try:
        for step in steps:
            if isinstance(step, str) and opacity(step, _type_of(value)) is _ALL:
                return None
            value = value[step]
    except (AttributeError, LookupError, TypeError):
        return None
    return value if isinstance(value, dict) and "asset_path" in value else None


def _walk(root: object) -> Iterator[tuple[dict[str, object], Steps]]:
    """Go through what is open to search, as a look does, to the objects with a path; no recursion, so any depth."""
    stack: list[tuple[object, Steps]] = [(root, ())]
    while stack:
        value, steps = stack.pop()
        if isinstance(value, list):
            stack += [(item, (*steps, at)) for at, item in enumerate(value) if isinstance(item, _NESTED)][::-1]
        elif isinstance(value, dict):
            if "asset_path" in value:
                yield value, steps
            if nested := [member for member in value.items() if isinstance(member[1], _NESTED)]:
                type_ = _type_of(value)
                stack += [(inner, (*steps, name)) for name, inner in reversed(nested) if opacity(name, type_) is not _ALL]


def _type_of(value: dict[str, object]) -> str:
    type_ = value.get("type")
    return type_ if isinstance(type_, str) else ""


def _sight(value: dict[str, object], pointer: str) -> Sight:
    path, field = value["asset_path"], value.get("asset_field")
    if isinstance(path, str) and isinstance(field, str) and opacity(field, _type_of(value)) is _CLEAR:
        return Sight(AssetName.parse(path), _size(value), pointer)
    raise _DoubtError


def _size(value: dict[str, object]) -> Size | None:
    width, height = value.get("width"), value.get("height")
    if not isinstance(width, int) or not isinstance(height, int) or isinstance(width, bool) or isinstance(height, bool):
        return None
    if not (0 < width < _MOST_PIXELS and 0 < height < _MOST_PIXELS):
        raise _DoubtError
    return Size(width, height)
