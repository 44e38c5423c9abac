"""Take along the assets that a session refers to already, when it moves away from them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sessionkit.core.media.finder import look_at
from sessionkit.core.media.references import Kind, Reference, find_references
from sessionkit.core.media.triage import reference_candidates
from sessionkit.core.stores.addresses import Bucket
from sessionkit.core.stores.opening import open_store
from sessionkit.errors import AssetCorruptError, AssetMissingError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sessionkit.core.assets import AssetName
    from sessionkit.core.jsonl import Block
    from sessionkit.core.media.repeats import AssetSink
    from sessionkit.core.stores.addresses import Address

EVERY_KIND = frozenset(Kind)


class Carrier:
    """Copies the assets of references from one store into another."""

    def __init__(self, held: Address, sink: AssetSink, kinds: Collection[Kind]) -> None:
        self._held = held
        self._sink = sink
        self._kinds = kinds
        self._seen: set[AssetName] = set()

    @property
    def count(self) -> int:
        """Assets that were referred to so far."""
        return len(self._seen)

    def look(self, block: Block) -> list[Reference]:
        """Copy what the block refers to, each asset once; the references whose asset is missing or corrupt are returned."""
        return [reference for reference in self._new_in(block) if not self._copy(reference.asset)]

    def _new_in(self, block: Block) -> Iterator[Reference]:
        for candidate in reference_candidates(block.data, block.stop):
            for found in find_references(look_at(block.data, candidate)):
                if isinstance(found, Reference) and found.kind in self._kinds and found.asset not in self._seen:
                    self._seen.add(found.asset)
                    yield found

    def _copy(self, asset: AssetName) -> bool:
        try:
            with open_store(self._held) as store, store.open(asset) as opened:
                data = b"".join(opened.chunks())
        except (AssetMissingError, AssetCorruptError):
            return False
        self._sink.put(asset, data)
        return True


def carrier_between(held: Address, store: Address, sink: AssetSink, kinds: Collection[Kind]) -> Carrier | None:
    """Make a carrier if there are assets at `held`, and it is not the store itself."""
    if isinstance(held, Bucket):
        return Carrier(held, sink, kinds) if held != store else None
    if not os.path.isdir(held):  # noqa: PTH112  asked for every session
        return None
    if not isinstance(store, Bucket) and os.path.realpath(held) == os.path.realpath(store):
        return None
    return Carrier(held, sink, kinds)
