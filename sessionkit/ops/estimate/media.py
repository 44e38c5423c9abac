"""The media of a conversation as bytes and pixels: all that an estimate ever reads of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.base64 import NotCanonicalError, decode_lenient, encoded_size
from sessionkit.core.model import Inline, MediaKind, Stored, Uri
from sessionkit.core.pixels import pixel_size
from sessionkit.core.slices import Slice
from sessionkit.core.sniff import sniff
from sessionkit.core.stores.base import HEAD_SIZE
from sessionkit.errors import AssetCorruptError, AssetMissingError, UnreadableError
from sessionkit.ops.estimate.result import MediaTotals, Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.assets import AssetName
    from sessionkit.core.model import Media, MediaSource
    from sessionkit.core.pixels import Size
    from sessionkit.core.stores.base import AssetStore

_LOST = (AssetMissingError, AssetCorruptError, UnreadableError)
_HEAD_DIGITS = encoded_size(HEAD_SIZE - HEAD_SIZE % 3)


class MediaReader:
    """Looks at media, of which the spilled ones are in a store. What it has measured it does not read again."""

    def __init__(self, store: AssetStore) -> None:
        self._store = store
        self._sizes: dict[MediaSource, Size | None] = {}

    def totals(self, media: Iterable[Media]) -> tuple[MediaTotals, list[Note]]:
        """Count media and their base64; a note for each that is lost."""
        images = documents = spilled = base64 = 0
        notes = []
        for medium in media:
            images += medium.kind is MediaKind.IMAGE
            documents += medium.kind is MediaKind.DOCUMENT
            spilled += isinstance(medium.source, Stored)
            try:
                base64 += self._base64_size(medium.source)
            except _LOST as error:
                notes.append(Note(NoteKind.BYTES_UNKNOWN, medium.origin, f"{error.what}: {error.why}"))
        return MediaTotals(images, documents, spilled, None if notes else base64), notes

    def pixels(self, media: Media) -> Size | None:
        """Read the size from the bytes; what those do not tell, the session may have recorded."""
        source = media.source
        if source not in self._sizes:
            self._sizes[source] = self._measure(source)
        return self._sizes[source] or media.size

    def _base64_size(self, source: MediaSource) -> int:
        match source:
            case Inline(data):
                return len(data)
            case Slice(size=size):
                return size
            case Stored(asset):
                return encoded_size(self._store.stat(asset).size)
            case Uri():
                return 0

    def _measure(self, source: MediaSource) -> Size | None:
        match source:
            case Inline(data):
                return _measure_base64(data)
            case Slice():
                return _measure_base64(source.read())
            case Stored(asset):
                try:
                    return self._measure_asset(asset)
                except _LOST:  # the session may have recorded it
                    return None
            case Uri():
                return None

    def _measure_asset(self, asset: AssetName) -> Size | None:
        check = self._store.check(asset)
        size = _measure(check.head)
        if size is None and len(check.head) < check.size:
            with self._store.open(asset) as reader:
                return _measure(b"".join(map(bytes, reader.chunks())))
        return size


def _measure_base64(text: str) -> Size | None:
    """Look at the head first: in nearly all pictures it tells."""
    size = _measure(_decode(text[:_HEAD_DIGITS]))
    return size if size or len(text) <= _HEAD_DIGITS else _measure(_decode(text))


def _decode(text: str) -> bytes:
    try:
        return decode_lenient(text.encode("utf-8", "surrogatepass"))
    except NotCanonicalError:
        return b""


def _measure(data: bytes | memoryview) -> Size | None:
    return pixel_size(data, sniff(data))
