"""Cures that several media faults share, and the order in which they are tried."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from sessionkit.core.images import DECODABLE
from sessionkit.core.ladder import PORTABLE
from sessionkit.core.model import MediaKind
from sessionkit.core.pictures import Facts
from sessionkit.core.sniff import GIF, PDF
from sessionkit.dataclass import replace
from sessionkit.faults.base import Lengths, Resizing, Uncured
from sessionkit.faults.cures import everywhere_live, fill, put_note, refit, with_all
from sessionkit.faults.exhibits import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sessionkit.core.ladder import Bounds
    from sessionkit.core.sniff import MediaType
    from sessionkit.faults.base import Choices, Cure, Splice
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit

_STILL_ONLY: Final = frozenset({"openai", "qwen-code"})
"""Profiles of vendors that take no GIF that moves."""
_ALL_COPIES: Final = frozenset({"gemini-cli"})
"""Agents that write one picture several times, and send each."""


def first_of(choices: Choices, *ways: Callable[[], Cure]) -> Cure:
    """Take the first way that works, and that fits where lines must keep their length. Else the reason why the last one does not."""
    cure: Cure = Uncured("there is nothing to be done")
    for way in ways:
        cure = _fitting(way(), choices.lengths)
        if not isinstance(cure, Uncured):
            break
    return cure


def healthy_twin(case: Case, exhibit: Exhibit) -> Exhibit | None:
    """Find what the agent wrote as the same picture, and what can be sent in its place."""
    return next((twin for twin in case.gallery.twins(exhibit) if _is_sound_as(case, twin, exhibit.media.kind)), None)


def is_sound(case: Case, exhibit: Exhibit) -> bool:
    """Whether the bytes are whole, and of a type that may be sent."""
    return _is_sound_as(case, exhibit, exhibit.media.kind)


def _is_sound_as(case: Case, exhibit: Exhibit, kind: MediaKind) -> bool:
    accepted = {PDF} if kind is MediaKind.DOCUMENT else case.profile.types
    facts = case.look(exhibit)
    return isinstance(facts, Facts) and facts.type in accepted


def from_twin(case: Case, exhibit: Exhibit) -> Cure:
    """Take the bytes of a healthy twin."""
    twin = healthy_twin(case, exhibit)
    if twin is None:
        return Uncured("it stands nowhere else in good health")
    return fill(case.lines, unsound(case, exhibit), case.pictures.data(twin.media))


def unsound(case: Case, exhibit: Exhibit) -> tuple[Exhibit, ...]:
    """An exhibit, and what its agent wrote as the same picture and cannot be sent either."""
    return with_all((exhibit, *(twin for twin in case.gallery.twins(exhibit) if not _is_sound_as(case, twin, exhibit.media.kind))))


def noted(case: Case, exhibit: Exhibit, reason: str, choices: Choices) -> Cure:
    """Put a note in the place of a picture, wherever the same one is sent, and at its twins."""
    return put_note(case.lines, alike(case, exhibit), case.note(exhibit, reason), choices.lengths)


def alike(case: Case, exhibit: Exhibit) -> tuple[Exhibit, ...]:
    """All that shows what this one shows, where it is sent, and the twins; of one that is asleep what is asleep too.

    What has no bytes is the same picture only where its agent says so; a twin that is empty stays so.
    """
    if case.facts(exhibit) is None:
        twins = case.gallery.twins(exhibit)
        return with_all((exhibit, *(twin for twin in twins if case.facts(twin) is None and not _is_emptied(twin))))
    asleep = () if exhibit.is_live else (copy for copy in case.gallery.copies(exhibit) if not copy.is_live)
    return with_all((*everywhere_live(case, exhibit), *asleep))


def _is_emptied(twin: Exhibit) -> bool:
    """Whether only the screen shows it, and it was taken out there before."""
    return twin.place is Place.TWIN and not twin.text


def leaving(case: Case, exhibit: Exhibit, reason: str, choices: Choices) -> Cure:
    """Put a note in the place of this one alone, and of what is only shown with it; other copies of the same picture stay."""
    every = case.format in _ALL_COPIES
    twins = case.gallery.twins(exhibit) if every else case.gallery.screens(exhibit)
    gone = with_all((exhibit, *(twin for twin in twins if not _is_emptied(twin))))
    return put_note(case.lines, gone, case.note(exhibit, reason), choices.lengths)


def smaller(case: Case, exhibit: Exhibit, choices: Choices, bounds: Bounds = PORTABLE) -> Cure:
    """Bring a picture within bounds, wherever the same one is sent, and at its twins."""
    if choices.resizing is Resizing.REFUSED:
        return Uncured("no picture may be made smaller")
    return refit(case.lines, alike(case, exhibit), case.format, bounds)


def is_convertible(case: Case, exhibit: Exhibit) -> bool:
    """Whether it is a whole picture of a type that the vendor does not take, and that can be decoded here."""
    facts = case.look(exhibit)
    return isinstance(facts, Facts) and facts.type in DECODABLE and not is_taken(case, facts)


def is_taken(case: Case, facts: Facts) -> bool:
    """Whether the vendor takes pictures of this type, moving ones too if it moves."""
    return facts.type in _types(case) or (facts.type in case.profile.types and not facts.is_animated)


def converted(case: Case, exhibit: Exhibit) -> Cure:
    """Make a PNG or JPEG of a picture of a type that the vendor does not take."""
    if not is_convertible(case, exhibit):
        return Uncured("it is of no type that can be converted")
    return refit(case.lines, alike(case, exhibit), case.format, replace(PORTABLE, types=_types(case)))


def _types(case: Case) -> frozenset[MediaType]:
    """Types that the vendor takes, whatever is in them."""
    return case.profile.types - {GIF} if case.profile.id in _STILL_ONLY else case.profile.types


def _fitting(cure: Cure, lengths: Lengths) -> Cure:
    if isinstance(cure, Uncured) or lengths is Lengths.FREE:
        return cure
    growth = _growth(cure)
    line = max(growth, key=growth.__getitem__, default=0)
    if growth[line] <= 0:
        return cure
    return Uncured(f"line {line} would get {growth[line]} bytes longer, and its agent knows where each line begins: write a copy with -o")


def _growth(cure: Iterable[Splice]) -> Counter[int]:
    growth = Counter[int]()
    for splice in cure:
        growth[splice.line] += len(splice.new) - (splice.stop - splice.start)
    return growth
