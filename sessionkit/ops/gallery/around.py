"""What is said around an image: on its own line, on the nearest line before it that says something, and on the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core import ecmajson
from sessionkit.core.dialects.content import string
from sessionkit.core.entries import Entry
from sessionkit.core.media.scopes import escape_step
from sessionkit.core.slices import Slice
from sessionkit.dataclass import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.core.entries import JsonObject
    from sessionkit.core.model import Json
    from sessionkit.faults.exhibits import Exhibit
    from sessionkit.faults.lines import Lines

_NAMES = frozenset({"text", "thinking", "content", "output", "summary", "message", "command", "prompt", "description"})
"""Members whose strings are words for people or for the model."""
_CALLS = frozenset({"arguments", "args", "input"})
_TWINS = frozenset({"toolUseResult", "resultDisplay", "displayContent", "toolCallResult"})
"""What the screen of an agent shows once more."""
_SPEAKERS = frozenset({"user", "assistant", "model", "gemini", "system"})
"""Types of entries that are roles."""
_REACH = 8
"""Lines that are looked at on each side."""
_MOST = 3
"""Texts of each side."""
_LONGEST = 20_000
"""Characters of a text."""
_DEEPEST = 6
"""Containers in containers of what a call was given."""
_KEPT = 64


@dataclass(frozen=True, slots=True)
class Said:
    """A text, as far as it is kept, and who says it; `pointer` leads to it from the line's value."""

    line: int
    pointer: str
    who: str
    text: str


@dataclass(frozen=True, slots=True)
class Around:
    """Finds what stands around images. It reads the lines again, of which the last ones are remembered."""

    lines: Lines
    _known: dict[int, tuple[Said, ...]] = field(default_factory=dict)

    def of(self, exhibit: Exhibit) -> tuple[tuple[Said, ...], tuple[Said, ...]]:
        """Give the texts before and after an image, in order. Raises what `Lines.raw` raises."""
        own = self._said(exhibit.line)
        split = _place(own, exhibit.block)
        before, after = _texts(own[:split]), _texts(own[split:])
        if len(before) < _MOST:
            before = (*self._near(exhibit.line, -1), *before)
        return before[-_MOST:], (after or self._near(exhibit.line, 1))[:_MOST]

    def _near(self, line: int, step: int) -> tuple[Said, ...]:
        for near in range(line + step, line + step * (_REACH + 1), step):
            if not 0 < near <= self.lines.count:
                break
            said = _texts(self._said(near))
            if said:
                return said[-_MOST:] if step < 0 else said[:_MOST]
        return ()

    def _said(self, line: int) -> tuple[Said, ...]:
        """What a line says, and where something else stands: that has no text."""
        if line not in self._known:
            while len(self._known) >= _KEPT:
                self._known.pop(next(iter(self._known)))
            entries = (entry for entry in self.lines.entries_of(line) if isinstance(entry, Entry))
            self._known[line] = tuple(said for entry in entries for said in _spoken(entry))
        return self._known[line]


def _texts(said: Sequence[Said]) -> tuple[Said, ...]:
    return tuple(one for one in said if one.text)


def _place(said: Sequence[Said], pointer: str) -> int:
    return next((index for index, one in enumerate(said) if one.pointer == pointer), len(said))


def _spoken(entry: Entry) -> Iterator[Said]:
    """Go through an entry in its order; a container is told before what it holds, without a text."""
    todo: list[tuple[str, str, str, object]] = [("", "", _speaker(entry.value), entry.value)]
    while todo:
        pointer, name, who, value = todo.pop()
        match value:
            case str() if name in _NAMES and value.strip():
                yield Said(entry.line, pointer, who, _beginning(value))
            case dict():
                yield Said(entry.line, pointer, who, "")
                who = _speaker(value) or who
                todo += [
                    (f"{pointer}/{escape_step(key)}", key, who, inner) for key, inner in reversed(value.items()) if _is_worth_it(key, inner)
                ]
                yield from _called(value, entry.line, pointer)
            case list():
                todo += [(f"{pointer}/{index}", name, who, value[index]) for index in reversed(range(len(value)))]
            case Slice():
                yield Said(entry.line, pointer, who, "")


def _is_worth_it(name: str, value: object) -> bool:
    return name not in _TWINS and name not in _CALLS and not isinstance(value, int | float | None)


def _called(value: JsonObject, line: int, pointer: str) -> Iterator[Said]:
    """Tell of a call: its tool and what it was given."""
    for name in _CALLS & value.keys():
        given = value[name]
        if isinstance(given, dict | str) and value.get("name"):
            words = given if isinstance(given, str) else ecmajson.dumps(_shortened(given))
            yield Said(line, f"{pointer}/{name}", f"call of {_beginning(string(value['name']))}", _beginning(words))


def _shortened(value: object, depth: int = _DEEPEST) -> Json:
    """Leave out what is too long or too deep to be told, before it is spelled."""
    match value:
        case str():
            return _beginning(value)
        case dict() if depth:
            return {str(name): _shortened(inner, depth - 1) for name, inner in value.items()}
        case list() if depth:
            return [_shortened(inner, depth - 1) for inner in value]
        case bool() | int() | float() | None:
            return value
        case _:
            return "…"


def _speaker(value: JsonObject) -> str:
    for holder in (value, value.get("message"), value.get("payload")):
        if isinstance(holder, dict) and (role := string(holder.get("role"))):
            return role
    kind = string(value.get("type"))
    return kind if kind in _SPEAKERS else ""


def _beginning(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
