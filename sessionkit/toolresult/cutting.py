"""Cut the texts of a result at one place, and say there how much is gone."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from sessionkit.dataclass import dataclass
from sessionkit.toolresult.ends import head_of, tail_of
from sessionkit.toolresult.limits import Extent, Keep, Limits
from sessionkit.toolresult.prose import Result, Spot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.toolresult.prose import Steps

_NOTE: Final = Extent(160, 1)
"""Room for the line that tells of a cut, and for the end of the line before it."""
_PLAIN: Final = "\x1b[0m"
_last_colour = re.compile(r"(?s:.*)\x1b\[([0-9;:]*)m").match


@dataclass(frozen=True, slots=True)
class Change:
    """A text that gives way to another one; or goes, where that is None, with the block that is named, and all texts in it."""

    spot: Spot
    text: str | None
    block: Steps = ()


def changes(result: Result, limits: Limits) -> list[Change]:
    """Find out what must change, in the order of the texts; nothing in a result that has media, or is within the limits."""
    whole = extent_of(result)
    if result.has_media or whole.fits(Extent(limits.bytes, limits.lines)):
        return []
    if limits.keep is Keep.HEAD:
        return _cut(result.texts, whole, limits)
    return _cut(result.texts[::-1], whole, limits)[::-1]


def extent_of(result: Result) -> Extent:
    """Measure all texts of a result."""
    return sum((Extent.of(spot.text) for spot in result.texts), Extent(0, 0))


def cut_text(text: str, limits: Limits) -> str:
    """Cut a text that stands alone."""
    changed = changes(Result((Spot((), text),)), limits)
    return next((change.text for change in changed if change.text is not None), text)


def _cut(spots: Sequence[Spot], whole: Extent, limits: Limits) -> list[Change]:
    """Go from the end that stays to the first text that does not fit; what is beyond it goes."""
    room = _room(limits)
    sums = list(accumulate((Extent.of(spot.text) for spot in spots), initial=Extent(0, 0)))
    at = next(at for at, total in enumerate(sums[1:]) if not total.fits(room))
    before = sums[at]
    spot, beyond = spots[at], spots[at + 1 :]
    kept = {block for left in spots[: at + 1] for block in left.blocks}
    return [Change(spot, with_note(spot.text, before, whole, limits)), *(_without(other, kept) for other in beyond)]


def with_note(text: str, before: Extent, whole: Extent, limits: Limits) -> str:
    """Cut a text to the room that those before it leave, with a line that says how much of the whole is gone."""
    end = (head_of if limits.keep is Keep.HEAD else tail_of)(text, _room(limits) - before)
    note = _note(whole - before - Extent.of(end), whole, limits.keep)
    return _joined(end, note, limits.keep)


def _room(limits: Limits) -> Extent:
    return Extent(limits.bytes, limits.lines) - _NOTE


def _without(spot: Spot, kept: set[Steps]) -> Change:
    """Let a text go with the largest block of which nothing is kept."""
    block = next((block for block in spot.blocks if block not in kept), None)
    return Change(spot, "") if block is None else Change(spot, None, block)


def _note(gone: Extent, whole: Extent, keep: Keep) -> str:
    end = "last" if keep is Keep.HEAD else "first"
    lines = f" ({gone.lines:,} of {whole.lines:,} lines)" if gone.lines else ""
    return f"[Truncated: the {end} {gone.bytes:,} of {whole.bytes:,} bytes{lines} are left out.]"


def _joined(text: str, note: str, keep: Keep) -> str:
    if keep is Keep.TAIL:
        return f"{note}\n{text}" if text else note
    colour = _last_colour(text)
    plain = _PLAIN if colour and colour[1].strip("0") else ""
    return f"{text}{plain}{note}" if text[-1:] in {"", "\n"} else f"{text}{plain}\n{note}"
