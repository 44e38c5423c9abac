"""Take the media of sites into a store, or say why a site stays as it is."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from sessionkit.core.assets import AssetName
from sessionkit.core.base64 import Defect, NotCanonicalError, decode_canonical, decode_lenient, diagnose
from sessionkit.core.media.finder import RUN_NAMES, Look, Site, Span, split_data_url
from sessionkit.core.media.policy import Choice, Spelling
from sessionkit.core.media.repeats import AssetSink, Fingerprint, Repeats, fingerprint
from sessionkit.core.media.tree import decode
from sessionkit.core.pixels import Size, pixel_size
from sessionkit.core.sniff import Family, MediaType, sniff
from sessionkit.core.stores.base import Stored
from sessionkit.dataclass import dataclass, replace

if TYPE_CHECKING:
    from sessionkit.core.media.policy import Policy


class Cause(StrEnum):
    """Why media stays inline, in words for a report."""

    LINE_BREAKS = Defect.LINE_BREAKS
    URL_SAFE = Defect.URL_SAFE
    MISSING_PADDING = Defect.MISSING_PADDING
    STRAY_BITS = Defect.STRAY_BITS
    ESCAPED = Defect.ESCAPED
    NOT_BASE64 = Defect.NOT_BASE64
    EMPTY = Defect.EMPTY
    REPEATED_NAME = "a name stands twice in its object or in one around it"
    REFERENCE_NAMES = "its object has a member named like one of an asset reference"
    AUDIO_OR_VIDEO = "audio or video"
    FOREIGN = "a reference of another tool"
    NOT_CHOSEN = "not chosen by --media"
    TOO_SMALL = "smaller than --min-bytes"


BY_CHOICE = frozenset({Cause.NOT_CHOSEN, Cause.TOO_SMALL})
"""Causes that the caller asked for."""

_is_plain = re.compile(r"[ !#-\[\]-~]*").fullmatch  # the same text in JSON, without escapes

_foreign = re.compile(
    rb"(?:blob(?:text)?:sha256:|blobref:|entire-asset:|asset://|attachment://|sha256:[0-9a-f]{64}$)",
).match


@dataclass(frozen=True, slots=True)
class Asset:
    """One medium that was taken: its name, its type by content, its pixels if they could be read, its decoded bytes.

    `prefix` is the raw text before its base64; `exact` tells whether its spelling comes back byte for byte.
    """

    name: AssetName
    media: MediaType
    size: Size | None
    length: int
    prefix: bytes
    stored: Stored
    exact: bool = True


class Intake:
    """Decodes sites one line at a time, and remembers the line's payloads, since twins on one line are common."""

    def __init__(self, store: AssetSink, policy: Policy) -> None:
        self._store = store
        self._policy = policy
        self._twins: dict[Fingerprint, tuple[Span, Asset]] = {}
        self._repeats = Repeats(store)

    def next_line(self) -> None:
        """Forget the payloads of the line before: its buffer is gone."""
        self._twins.clear()

    def take(self, look: Look, site: Site) -> Asset | Cause:
        """Put a site's medium into the store, unless it must stay."""
        blocked = _blocked(site)
        if blocked:
            return blocked
        if site.escaped:
            return self._take_value(_raw(look, site.value))
        payload = site.payload
        prefix = _raw(look, Span(site.value.start + 1, payload.start))
        text = fingerprint(look.data, payload.start, payload.stop)
        twin = self._twins.get(text)
        if twin and _is_same(look.data, payload, twin[0]) and not _declares_sound(prefix):
            return replace(twin[1], prefix=prefix, stored=Stored.KNOWN)
        taken = self._take_exact(look, payload, prefix, text)
        if isinstance(taken, Asset):
            self._twins[text] = (payload, taken)
            self._repeats.remember(text, taken)
        return taken

    def _take_exact(self, look: Look, payload: Span, prefix: bytes, text: Fingerprint) -> Asset | Cause:
        try:
            with memoryview(look.data) as view, view[payload.start : payload.stop] as base64:
                data = decode_canonical(base64)
        except NotCanonicalError as error:
            return self._take_odd(look, payload, prefix, error.defect)
        known = self._repeats.find(text, data)
        if known and not _declares_sound(prefix):
            return replace(known, prefix=prefix, stored=Stored.KNOWN)
        return self._keep(data, prefix)

    def _take_odd(self, look: Look, payload: Span, prefix: bytes, defect: Defect) -> Asset | Cause:
        if _foreign(look.data, payload.start, payload.stop):
            return Cause.FOREIGN
        if self._policy.spelling is Spelling.EXACT or defect is Defect.NOT_BASE64:
            return Cause(defect)
        return self._keep_any(_raw(look, payload), prefix)

    def _take_value(self, token: bytes) -> Asset | Cause:
        """Take a string whose raw text is not its value."""
        if self._policy.spelling is Spelling.EXACT:
            return Cause(diagnose(token))
        prefix, payload = split_data_url(decode(token))
        if not _is_plain(prefix):
            return Cause.ESCAPED
        return self._keep_any(payload.encode("utf-8", "replace"), prefix.encode())

    def _keep_any(self, value: bytes, prefix: bytes) -> Asset | Cause:
        try:
            kept = self._keep(decode_lenient(value), prefix)
        except NotCanonicalError as error:
            return Cause(error.defect)
        return kept if isinstance(kept, Cause) else replace(kept, exact=False)

    def _keep(self, data: bytes, prefix: bytes) -> Asset | Cause:
        media = sniff(data)
        if media.family in {Family.AUDIO, Family.VIDEO} or _declares_sound(prefix):
            return Cause.AUDIO_OR_VIDEO
        if self._policy.choice is Choice.IMAGES and media.family is not Family.IMAGE:
            return Cause.NOT_CHOSEN
        if len(data) < self._policy.least:
            return Cause.TOO_SMALL
        name = AssetName.of(data, media)
        return Asset(name, media, pixel_size(data, media), len(data), prefix, self._store.put(name, data))


def _blocked(site: Site) -> Cause | None:
    if site.scope.repeated:
        return Cause.REPEATED_NAME
    if site.key and not RUN_NAMES.isdisjoint(site.scope.names):
        return Cause.REFERENCE_NAMES
    return None


def _declares_sound(prefix: bytes) -> bool:
    return prefix[5:11].lower() in {b"audio/", b"video/"}


def _raw(look: Look, span: Span) -> bytes:
    return bytes(look.data[span.start : span.stop])


def _is_same(data: bytearray, one: Span, other: Span) -> bool:
    with memoryview(data) as view, view[one.start : one.stop] as text:
        return data.startswith(text, other.start, other.stop)
