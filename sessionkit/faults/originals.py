"""The bytes that leave a session, as the asset that keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.assets import AssetName
from sessionkit.core.base64 import NotCanonicalError, decode_lenient
from sessionkit.core.model import Stored
from sessionkit.core.sniff import BIN, sniff
from sessionkit.faults.base import Kept

if TYPE_CHECKING:
    from sessionkit.faults.exhibits import Exhibit


def held_bytes(exhibit: Exhibit) -> bytes | None:
    """Decode what stands in the line, in any spelling; None where it is no base64, or where nothing stands."""
    if not exhibit.is_inline:
        return None
    try:
        return decode_lenient(exhibit.text.encode("utf-8", "surrogatepass"))
    except NotCanonicalError:
        return None


def kept_of(exhibit: Exhibit) -> Kept | None:
    """Keep the bytes under the type that they are; what is no base64, or an address, is kept as its text.

    Nothing for what is empty or stored already.
    """
    if isinstance(exhibit.media.source, Stored) or not exhibit.text:
        return None
    data = held_bytes(exhibit)
    if data is not None:
        return Kept(AssetName.of(data, sniff(data)), data)
    text = (exhibit.prefix + exhibit.text).encode("utf-8", "surrogatepass")
    return Kept(AssetName.of(text, BIN), text)
