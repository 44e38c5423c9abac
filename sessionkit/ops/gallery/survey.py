"""Images as a scan counts them: by the raw bytes of lines, not by what JSON makes of these."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sessionkit.core.media.finder import find_sites, look_at, split_data_url
from sessionkit.core.media.tree import decode
from sessionkit.core.media.triage import media_candidates
from sessionkit.core.model import Inline, Media, MediaKind
from sessionkit.core.slices import Slice
from sessionkit.core.sniff import Family, sniff_base64
from sessionkit.dataclass import dataclass
from sessionkit.faults.base import Spot
from sessionkit.faults.exhibits import Exhibit, Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.jsonl import Block
    from sessionkit.core.media.finder import Look, Site
    from sessionkit.faults.case import Case

_HEAD = 4096
_STANDARD = bytes.maketrans(b"-_", b"+/")


@dataclass(frozen=True, slots=True)
class Survey:
    """Where images stand, and those among them that no entry holds: their line is no JSON object, or their name stands twice in it."""

    spots: frozenset[Spot]
    strays: tuple[Exhibit, ...]


def survey(case: Case) -> Survey:
    """Read the whole file once more."""
    known = Counter(exhibit.spot for exhibit in case.exhibits)
    spots, strays = set[Spot](), list[Exhibit]()
    for spot, exhibit in _found(case):
        spots.add(spot)
        known[spot] -= 1
        if known[spot] < 0:
            strays.append(exhibit)
    return Survey(frozenset(spots), tuple(strays))


def _found(case: Case) -> Iterator[tuple[Spot, Exhibit]]:
    for block in case.lines.blocks():
        for candidate in media_candidates(block.data, block.stop):
            look, line = look_at(block.data, candidate), block.line_at(candidate.start)
            for site in reversed(find_sites(look)):  # of a name that stands twice, the last one is in the entry
                if _is_image(look, site):
                    yield Spot(line, site.pointer()), _exhibit(case, block, look, site)


def _is_image(look: Look, site: Site) -> bool:
    text = _value(look, site)[1].encode("utf-8", "replace") if site.escaped else _head(look, site)
    return sniff_base64(text.translate(_STANDARD)).family is Family.IMAGE


def _head(look: Look, site: Site) -> bytes:
    return bytes(look.data[site.payload.start : min(site.payload.stop, site.payload.start + _HEAD)])


def _value(look: Look, site: Site) -> tuple[str, str]:
    return split_data_url(decode(bytes(look.data[site.value.start : site.value.stop])))


def _exhibit(case: Case, block: Block, look: Look, site: Site) -> Exhibit:
    payload = site.payload
    piece = Slice(case.lines.path, block.offset + payload.start, payload.stop - payload.start)
    source = Inline(_value(look, site)[1]) if site.escaped else piece
    pointer = site.pointer()
    return Exhibit(block.line_at(site.value.start), pointer, pointer, None, Form.ITEM, Media(MediaKind.IMAGE, source))
