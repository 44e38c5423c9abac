"""Judge the media sites of a line: what migrate would take, and what must stay, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.media.finder import Span, find_sites, split_data_url
from sessionkit.core.media.intake import Asset, Cause, Intake
from sessionkit.core.media.policy import Policy
from sessionkit.core.media.tree import decode
from sessionkit.core.sniff import Family, MediaType, sniff_base64
from sessionkit.ops.rehearsal import Nowhere
from sessionkit.ops.scan.tally import NON_CANONICAL, ByteKind, ScanKind, Sighting, Tally

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from sessionkit.core.media.finder import Look, Site

_HEAD = 4096
_STANDARD = bytes.maketrans(b"-_", b"+/")
_NO_MEDIA = frozenset({Cause.NOT_BASE64, Cause.FOREIGN})


class SiteScanner:
    """Finds and counts the sites of one line after the other."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._intake = Intake(Nowhere(), Policy())

    def read(self, look: Look, number: int, foreign: AbstractSet[int]) -> list[tuple[Span, ByteKind]]:
        """Count all sites but the strings that start at places of `foreign`; return where their media stand, in order."""
        self._intake.next_line()
        media = []
        for site in find_sites(look):
            if site.value.start in foreign:
                continue
            taken = self._intake.take(look, site)
            kind = _kind_of(look, site, taken)
            if isinstance(taken, Cause):
                self._count_stay(Sighting(_sighted_as(taken), number, site.pointer(), taken), taken)
            if kind is not None:
                media.append((_span_of(site), kind))
                self._count(taken, *media[-1])
        return media

    def _count_stay(self, sighting: Sighting, cause: Cause) -> None:
        self._tally.stays[cause] += 1
        self._tally.see(sighting)

    def _count(self, taken: Asset | Cause, span: Span, kind: ByteKind) -> None:
        self._tally.sites += 1
        self._tally.images += kind is ByteKind.IMAGES
        if isinstance(taken, Asset):
            self._tally.taken += 1
            if taken.name in self._tally.firsts:
                self._tally.repeated += span.stop - span.start
            else:
                self._tally.firsts[taken.name] = span.stop - span.start


def _sighted_as(cause: Cause) -> ScanKind:
    return ScanKind.NON_CANONICAL if cause in NON_CANONICAL else ScanKind.INLINE


def _span_of(site: Site) -> Span:
    """Place of the base64; of the whole string where its escapes hide it."""
    return Span(site.value.start + 1, site.value.stop - 1) if site.escaped else site.payload


def _kind_of(look: Look, site: Site, taken: Asset | Cause) -> ByteKind | None:
    """Tell what the site holds; None when it is no media at all."""
    media = taken.media if isinstance(taken, Asset) else _sniff(look, site)
    match media.family:
        case Family.IMAGE:
            return ByteKind.IMAGES
        case Family.DOCUMENT:
            return ByteKind.DOCUMENTS
        case Family.UNKNOWN if taken in _NO_MEDIA:
            return None
        case _:
            return ByteKind.OTHER_MEDIA


def _sniff(look: Look, site: Site) -> MediaType:
    if site.escaped:
        _, payload = split_data_url(decode(bytes(look.data[site.value.start : site.value.stop])))
        return sniff_base64(payload[:_HEAD].encode("utf-8", "replace").translate(_STANDARD))
    payload_span = site.payload
    return sniff_base64(bytes(look.data[payload_span.start : min(payload_span.stop, payload_span.start + _HEAD)]).translate(_STANDARD))
