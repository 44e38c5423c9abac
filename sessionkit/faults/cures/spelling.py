"""Another spelling: the same bytes as canonical base64, behind the prefix that belongs there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.sniff import Family, sniff
from sessionkit.faults.cures.fill import in_string
from sessionkit.faults.cures.label import label_member
from sessionkit.faults.cures.tokens import NoCureError, gathered
from sessionkit.faults.originals import held_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.faults.base import Cure, Splice
    from sessionkit.faults.exhibits import Exhibit
    from sessionkit.faults.lines import Lines

_LABELLED: Final = frozenset({Family.IMAGE, Family.DOCUMENT})


def respell(lines: Lines, exhibits: Iterable[Exhibit]) -> Cure:
    """Write the base64 of exhibits canonically, with the type that the bytes are; nothing leaves the session."""
    return gathered(splice for exhibit in exhibits for splice in _respelled(lines, exhibit))


def _respelled(lines: Lines, exhibit: Exhibit) -> Iterator[Splice]:
    data = held_bytes(exhibit)
    if data is None or exhibit.value is None:
        raise NoCureError("it is no base64 in any spelling")
    places, media = lines.places(exhibit.line), sniff(data)
    mime = media.mime if media.family in _LABELLED else exhibit.media.media_type or media.mime
    yield in_string(places, exhibit, data, mime)
    if media.family in _LABELLED:
        yield from label_member(places, exhibit, mime)
