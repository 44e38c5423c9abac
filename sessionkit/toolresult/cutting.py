"""Cut the texts of a result at one place, and say there how much is gone."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from sessionkit.toolresult.ends import head_of, tail_of
from sessionkit.toolresult.limits import Extent, Keep, Limits
from sessionkit.toolresult.results import Result, Spot

if TYPE_CHECKING:
    from collections.abc import Sequence

_NOTE: Final = Extent(160, 1)
"""Room for the line that tells of a cut, and for the end of the line before it."""


@dataclass(frozen=True, slots=True)
class Change:
    """A text that gives way to another one, or goes with its block where that is None."""

    spot: Spot
    text: str | None


def changes(result: Result, limits: Limits) -> list[Change]:
    """Find out what must change, in the order of the texts; nothing in a result that has media, or is within the limits."""
    whole = sum((Extent.of(spot.text) for spot in result.texts), Extent(0, 0))
    if result.has_media or whole.fits(Extent(limits.bytes, limits.lines)):
        return []
    if limits.keep is Keep.HEAD:
        return _cut(result.texts, whole, limits)
    return _cut(result.texts[::-1], whole, limits)[::-1]


def cut_text(text: str, limits: Limits) -> str:
    """Cut a text that stands alone."""
    changed = changes(Result((Spot((), text),)), limits)
    return next((change.text for change in changed if change.text is not None), text)


def _cut(spots: Sequence[Spot], whole: Extent, limits: Limits) -> list[Change]:
    """Go from the end that stays to the first text that does not fit; what is beyond it goes."""
    room = Extent(limits.bytes, limits.lines) - _NOTE
    sums = list(accumulate((Extent.of(spot.text) for spot in spots), initial=Extent(0, 0)))
    at = next(at for at, total in enumerate(sums[1:]) if not total.fits(room))
    before = sums[at]
    spot, beyond = spots[at], spots[at + 1 :]
    text = (head_of if limits.keep is Keep.HEAD else tail_of)(spot.text, room - before)
    note = _note(whole - before - Extent.of(text), whole, limits.keep)
    return [Change(spot, _joined(text, note, limits.keep)), *(Change(other, None if other.block else "") for other in beyond)]


def _note(gone: Extent, whole: Extent, keep: Keep) -> str:
    end = "last" if keep is Keep.HEAD else "first"
    lines = f" ({gone.lines:,} of {whole.lines:,} lines)" if gone.lines else ""
    return f"[Truncated: the {end} {gone.bytes:,} of {whole.bytes:,} bytes{lines} are left out.]"


def _joined(text: str, note: str, keep: Keep) -> str:
    if keep is Keep.TAIL:
        return f"{note}\n{text}" if text else note
    return f"{text}{note}" if text[-1:] in {"", "\n"} else f"{text}\n{note}"
