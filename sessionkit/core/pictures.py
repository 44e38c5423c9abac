"""The media of a conversation as bytes: what each of them is, whether it can be sent, and its base64.

A medium is read, hashed and encoded once, unless there are more of them than are kept.
"""

from __future__ import annotations

import hashlib
from enum import Enum, auto
from typing import TYPE_CHECKING

from sessionkit.core.base64 import Defect, NotCanonicalError, decode_canonical, decode_lenient, encode, encoded_size
from sessionkit.core.model import Inline, Stored, Uri
from sessionkit.core.pixels import pixel_size
from sessionkit.core.slices import Slice
from sessionkit.core.sniff import GIF, JPEG, PNG, WEBP, sniff
from sessionkit.core.wholeness import is_animated, missing_end
from sessionkit.dataclass import dataclass
from sessionkit.errors import AssetCorruptError, AssetMissingError, ChangedError, Place, UnreadableError

if TYPE_CHECKING:
    from sessionkit.core.assets import AssetName
    from sessionkit.core.model import Media, MediaSource
    from sessionkit.core.pixels import Size
    from sessionkit.core.sniff import MediaType
    from sessionkit.core.stores.base import AssetStore

BUDGET = 256 << 20
"""Characters of base64 that are kept."""

MOST_BYTES = 384 << 20
"""Bytes of a medium beyond which it is not read: its base64 is more than any vendor takes in a request."""

_ALWAYS_WITH_SIZE = frozenset({PNG, JPEG, GIF, WEBP})
_DIGITS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
_WHITE_SPACE = b" \t\n\v\f\r"
_TOO_LARGE = f"larger than {MOST_BYTES >> 20} MiB"


class Depth(Enum):
    """How pictures are looked at: by header and structure alone, or decoded too."""

    HEADERS = auto()
    PIXELS = auto()


@dataclass(frozen=True, slots=True)
class Facts:
    """What a medium is, by its bytes; `size` as its header states it, None where that tells none."""

    type: MediaType
    size: Size | None
    bytes: int
    sha256: str
    is_animated: bool


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a medium cannot be sent, in a few words; and what it is, where there are bytes."""

    reason: str
    facts: Facts | None = None


@dataclass(frozen=True, slots=True)
class _Content:
    """The bytes of a medium, and their base64 if it is at hand; what was wrong with the base64 that they were decoded from, if anything."""

    data: bytes
    text: bytes | None = None
    defect: Defect | None = None

    @property
    def base64(self) -> bytes:
        return encode(self.data) if self.text is None else self.text


class Pictures:
    """Looks at media, of which the spilled ones are in a store."""

    def __init__(self, store: AssetStore, depth: Depth = Depth.HEADERS, budget: int = BUDGET) -> None:
        self._store = store
        self._depth = depth
        self._left = budget
        self._looks: dict[MediaSource, Facts | Trouble] = {}
        self._judged: dict[str, Facts | Trouble] = {}
        self._kept: dict[str, bytes] = {}
        self._misspelt: dict[MediaSource, Defect] = {}

    def look(self, media: Media) -> Facts | Trouble:
        """Tell what a medium is. Raises UnreadableError or ChangedError when the session's own file cannot be read any more."""
        source = media.source
        if source not in self._looks:
            self._looks[source] = self._examine(source)
        return self._looks[source]

    def undecoded(self, facts: Facts) -> str:
        """Say why a picture was not decoded where all of them are to be; empty where it was. Only its header speaks for it then."""
        return _too_many_pixels(facts) if self._depth is Depth.PIXELS else ""

    def misspelling(self, media: Media) -> Defect | None:
        """Tell why base64 that decodes is not canonical; None where it is, or where nothing decodes. Raises what `look` raises."""
        self.look(media)
        return self._misspelt.get(media.source)

    def data(self, media: Media) -> bytes:
        """Give the bytes of a medium. Raises UnreadableError if it is in trouble, ChangedError if it is another one by now."""
        facts = self._sound(media)
        kept = self._kept.get(facts.sha256)
        return self._read_again(media, facts).data if kept is None else decode_canonical(kept)

    def base64(self, media: Media) -> bytes:
        """Give the canonical base64 of a medium's bytes. Raises what `data` raises."""
        facts = self._sound(media)
        kept = self._kept.get(facts.sha256)
        return self._read_again(media, facts).base64 if kept is None else kept

    def _sound(self, media: Media) -> Facts:
        match self.look(media):
            case Facts() as facts:
                return facts
            case Trouble(reason):
                raise UnreadableError("this medium cannot be used", place=_place(media), why=reason)

    def _examine(self, source: MediaSource) -> Facts | Trouble:
        content = self._read(source)
        if isinstance(content, Trouble):
            return content
        if content.defect is not None:
            self._misspelt[source] = content.defect
        digest = source.asset.digest if isinstance(source, Stored) else hashlib.sha256(content.data).hexdigest()
        if digest not in self._judged:
            self._judged[digest] = self._judge(content, digest)
        return self._judged[digest]

    def _judge(self, content: _Content, digest: str) -> Facts | Trouble:
        data = content.data
        media = sniff(data)
        facts = Facts(media, pixel_size(data, media), len(data), digest, is_animated(data, media))
        fault = self._fault(data, facts)
        if fault:
            return Trouble(fault, facts)
        if encoded_size(len(data)) <= self._left:
            self._left -= encoded_size(len(data))
            self._kept[digest] = content.base64
        return facts

    def _fault(self, data: bytes, facts: Facts) -> str:
        missing = missing_end(data, facts.type)
        if missing:
            return f"cut off: {missing}"
        if facts.type in _ALWAYS_WITH_SIZE and facts.size is None:
            return "unreadable: its header tells no size"
        if self._depth is not Depth.PIXELS or _too_many_pixels(facts):
            return ""
        fault = _decode_fault(data, facts.type)
        return f"unreadable: {fault}" if fault else ""

    def _read_again(self, media: Media, facts: Facts) -> _Content:
        match self._read(media.source):
            case _Content(data) as content if hashlib.sha256(data).hexdigest() == facts.sha256:
                return content
            case _:
                raise ChangedError("changed while it was being read", place=_place(media), hint="close its agent and run again")

    def _read(self, source: MediaSource) -> _Content | Trouble:
        match source:
            case Inline(text):
                return _decoded(text.encode("utf-8", "surrogatepass"))
            case Slice():
                return _decoded(source.read().encode()) if source.size <= encoded_size(MOST_BYTES) else Trouble(_TOO_LARGE)
            case Stored(asset):
                return self._read_asset(asset)
            case Uri():
                return Trouble("only its vendor can resolve it")

    def _read_asset(self, asset: AssetName) -> _Content | Trouble:
        try:
            with self._store.open(asset) as reader:
                if reader.size > MOST_BYTES:
                    return Trouble(_TOO_LARGE)
                data = b"".join(map(bytes, reader.chunks()))
        except AssetMissingError:
            return Trouble("missing")
        except AssetCorruptError as error:
            return Trouble(f"corrupt: {error.why}")
        except UnreadableError as error:
            return Trouble(f"unreadable: {error.why}")
        return _Content(data) if data else Trouble("empty")


def _too_many_pixels(facts: Facts) -> str:
    from sessionkit.core.images import TOO_MANY_PIXELS, is_decodable  # noqa: PLC0415  few looks are that close

    return TOO_MANY_PIXELS if is_decodable(facts.type, None) and not is_decodable(facts.type, facts.size) else ""


def _decode_fault(data: bytes, media: MediaType) -> str | None:
    from sessionkit.core.images import decode_fault, is_decodable  # noqa: PLC0415  few looks are that close

    return decode_fault(data) if is_decodable(media, None) else None


def _decoded(text: bytes) -> _Content | Trouble:
    try:
        return _Content(decode_canonical(text), text)
    except NotCanonicalError as error:
        return _decoded_leniently(text, error.defect)


def _decoded_leniently(text: bytes, defect: Defect) -> _Content | Trouble:
    try:
        return _Content(decode_lenient(text), defect=defect)
    except NotCanonicalError as error:
        return Trouble("empty" if error.defect is Defect.EMPTY else f"not base64: {_why_not_base64(text)}")


def _why_not_base64(text: bytes) -> str:
    digits = text.translate(None, _WHITE_SPACE).rstrip(b"=")
    if digits.translate(None, _DIGITS + b"="):
        return "foreign characters"
    if b"=" in digits:
        return "padding inside"
    return "of an impossible length" if len(digits) % 4 == 1 else "too much padding"


def _place(media: Media) -> Place:
    origin = media.origin
    return Place(origin.path, origin.line or None, origin.pointer)
