"""What becomes of a result of which nobody made the call, or that has one already: what it holds stays, as words of the user."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from sessionkit.faults.base import Splice
from sessionkit.faults.cures.tokens import NoCureError, gathered, replaced, written
from sessionkit.faults.mending import parent_splice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.base import Cure, Spot
    from sessionkit.faults.case import Case
    from sessionkit.faults.places import Places


LOST: Final = "result of a lost"
AGAIN: Final = "another result of the"
"""How the text in front begins."""


def as_users(case: Case, spot: Spot, head: str = LOST) -> Cure:
    """Make a result of Pi's a message of the user, with a text in front; hang it on the entry before if its parent is lost."""
    return gathered(_as_users(case, spot, head))


def as_text(case: Case, spot: Spot, head: str = LOST) -> Cure:
    """Put the content of an Anthropic result in its place, behind a text. Uncured where a result that is in order stands behind it."""
    return gathered(_as_text(case.lines.places(spot.line), spot, head))


def _as_users(case: Case, spot: Spot, head: str) -> Iterator[Splice]:
    places, content = case.lines.places(spot.line), f"{spot.pointer}/content"
    gap = case.gap
    if gap and gap.below.origin.line == spot.line and gap.before:
        yield parent_splice(case, gap.below, gap.before)
    yield replaced(places, f"{spot.pointer}/role", b'"user"', "role user")
    note = _note(places, head, f"{spot.pointer}/toolCallId", f"{spot.pointer}/toolName")
    start = places.value(content).start + 1
    if places.text(content).startswith(b"["):
        comma = b"," if places.size(content) else b""
        yield Splice(spot.line, start, start, written({"type": "text", "text": note}) + comma, note)
    elif places.text(content).startswith(b'"'):
        yield Splice(spot.line, start, start, written(f"{note}\n")[1:-1], note)
    else:
        yield replaced(places, content, written(note), note)


def _as_text(places: Places, spot: Spot, begun: str) -> Iterator[Splice]:
    outer, _, index = spot.pointer.rpartition("/")
    if any(_is_result(places, f"{outer}/{at}") for at in range(int(index) + 1, places.size(outer))):
        raise NoCureError("a result stands behind it in the same message, and results come first")
    block, content = places.value(spot.pointer), f"{spot.pointer}/content"
    note = _note(places, begun, f"{spot.pointer}/tool_use_id")
    head = written({"type": "text", "text": note})
    raw = places.text(content) if places.has(content) else b""
    if raw.startswith(b"["):
        inner = places.value(content)
        yield Splice(spot.line, block.start, inner.start + 1, head + (b"," if places.size(content) else b""), note)
        yield Splice(spot.line, inner.stop - 1, block.stop, b"", "its end")
    elif raw.startswith(b'"'):
        inner = places.value(content)
        yield Splice(spot.line, block.start, inner.start, head + b',{"type":"text","text":', note)
        yield Splice(spot.line, inner.stop, block.stop, b"}", "its end")
    else:
        yield Splice(spot.line, block.start, block.stop, head, note)


def _is_result(places: Places, pointer: str) -> bool:
    return places.has(f"{pointer}/type") and places.text(f"{pointer}/type") == b'"tool_result"'


def _note(places: Places, head: str, id_: str, name: str = "") -> str:
    """Tell which call it was: `[result of a lost read call toolu_1]`."""
    said = (f"[{head}", _string(places, name) if name else "", "call", _string(places, id_))
    return " ".join(filter(None, said)) + "]"


def _string(places: Places, pointer: str) -> str:
    return str(json.loads(places.text(pointer))) if places.has(pointer) else ""
