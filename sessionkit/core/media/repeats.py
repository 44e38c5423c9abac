"""Pictures that come again on later lines: an agent copies its history at every compaction, and so most bytes of large sessions are copies.

Comparing a copy with the asset that was stored is several times faster than hashing it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from sessionkit.core.assets import AssetName
    from sessionkit.core.media.intake import Asset
    from sessionkit.core.stores.base import Stored

_MOST = 4096
_END = 64

Fingerprint: TypeAlias = tuple[int, bytes, bytes]
"""Length, head and tail of a base64 text: enough to guess that two are equal, never to know it."""


class AssetSink(Protocol):
    """What takes media in; an asset store is one."""

    def put(self, name: AssetName, data: Buffer) -> Stored:
        """Keep the data under the name."""
        ...

    def holds(self, name: AssetName, data: Buffer) -> bool:
        """Compare the data with what was put under the name; False also if it cannot be compared."""
        ...


def fingerprint(data: bytearray, start: int, stop: int) -> Fingerprint:
    """Make the fingerprint of `data[start:stop]`."""
    return stop - start, bytes(data[start : start + _END]), bytes(data[max(start, stop - _END) : stop])


class Repeats:
    """Remembers what was taken, by the fingerprint of its text."""

    def __init__(self, sink: AssetSink) -> None:
        self._sink = sink
        self._taken: dict[Fingerprint, Asset] = {}

    def find(self, text: Fingerprint, data: bytes) -> Asset | None:
        """Find the asset that holds exactly this data; None if that is not certain."""
        asset = self._taken.get(text)
        if asset is None or asset.length != len(data) or not self._sink.holds(asset.name, data):
            return None
        return asset

    def remember(self, text: Fingerprint, asset: Asset) -> None:
        """Keep an asset; the oldest is forgotten when there are very many."""
        if len(self._taken) >= _MOST:
            del self._taken[next(iter(self._taken))]
        self._taken[text] = asset
