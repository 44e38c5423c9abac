"""Part the assets of a store into exams, so that several processes are done at the same time."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.stores.addresses import Bucket
from sessionkit.core.stores.base import HEAD_SIZE
from sessionkit.core.stores.opening import open_store
from sessionkit.dataclass import dataclass
from sessionkit.errors import SessionkitError
from sessionkit.ops.batch import Sized
from sessionkit.ops.verify.exam import Exam
from sessionkit.ops.verify.options import Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sessionkit.core.assets import AssetName
    from sessionkit.core.stores.addresses import Address
    from sessionkit.core.stores.base import AssetStore, Inventory
    from sessionkit.ops.verify.options import Options

Stocks: TypeAlias = "Mapping[Address, Inventory]"
"""What stores hold that were listed."""

_CHUNK_BYTES = range(4 << 20, 128 << 20)
_CHUNK_ASSETS = 256
_CHUNKS_PER_JOB = 2
_SOME_BYTES = 1 << 20
"""Of an asset whose size is not known."""


@dataclass(frozen=True, slots=True)
class Portioner:
    """Parts assets for so many exams at a time (`width`)."""

    options: Options
    width: int
    stocks: Stocks

    def exams(self, store: Address, names: Iterable[AssetName]) -> Iterator[Sized[Exam]]:
        """Part them into ever smaller chunks, largest first: few messages, and at the end nobody waits long for the others."""
        weights = self._weights(store, names)
        chunk: list[AssetName] = []
        weight, left = 0, sum(weights.values())
        enough = self._enough_of(left)
        for name in sorted(weights, key=lambda name: (-weights[name], name.digest)):
            chunk.append(name)
            weight += weights[name]
            if weight >= enough or len(chunk) == _CHUNK_ASSETS:
                yield self._exam(store, chunk, weight)
                chunk, weight, left = [], 0, left - weight
                enough = self._enough_of(left)
        if chunk:
            yield self._exam(store, chunk, weight)

    def _enough_of(self, left: int) -> int:
        return max(_CHUNK_BYTES.start, min(_CHUNK_BYTES.stop, left // (_CHUNKS_PER_JOB * self.width)))

    def _exam(self, store: Address, chunk: list[AssetName], weight: int) -> Sized[Exam]:
        return Sized(Exam(store, tuple(chunk), self.options.reading, self.options.decoding), weight)

    def _weights(self, store: Address, names: Iterable[AssetName]) -> dict[AssetName, int]:
        """Bytes that will be read of each; 0 where one process reads them all, so that nobody has to know."""
        if isinstance(store, Bucket):  # each would cost a request, and processes that are started later could make none
            return dict.fromkeys(names, _SOME_BYTES)
        if self.width == 1:
            return dict.fromkeys(names, 0)
        most = sys.maxsize if self.options.reading is Reading.ALL else HEAD_SIZE
        if stock := self.stocks.get(store):
            sizes = {file.name.file_name: file.stat.size for file in stock.files}
            return {name: min(most, sizes.get(name.file_name, 0)) for name in names}
        with open_store(store) as opened:
            return {name: min(most, _size(opened, name)) for name in names}


def _size(store: AssetStore, name: AssetName) -> int:
    """Bytes of an asset; 0 for what cannot be looked at, which the exam will explain."""
    try:
        return store.stat(name).size
    except SessionkitError:
        return 0
