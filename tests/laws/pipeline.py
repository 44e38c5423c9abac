"""The media pipeline between two byte strings, with the assets in memory: what `migrate` and `restore` do, without their files."""

from __future__ import annotations

import io
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from sessionkit.core import jsonl
from sessionkit.core.base64 import encode
from sessionkit.core.edits import apply_edits
from sessionkit.core.media.finder import look_at
from sessionkit.core.media.policy import Policy
from sessionkit.core.media.references import Kind, Reference, find_references
from sessionkit.core.media.splice import restore_edits
from sessionkit.core.media.triage import reference_candidates
from sessionkit.core.stores.base import Stored
from sessionkit.ops.spiller import Spiller

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Buffer

    from sessionkit.core.assets import AssetName
    from sessionkit.core.edits import Edit
    from sessionkit.core.jsonl import Block
    from sessionkit.ops.ledger import Ledger

EVERYTHING = Policy()


@dataclass
class MemoryStore:
    """Assets by name, as a store keeps them."""

    assets: dict[AssetName, bytes] = field(default_factory=dict)

    def put(self, name: AssetName, data: Buffer) -> Stored:
        found = Stored.KNOWN if name in self.assets else Stored.NEW
        self.assets[name] = bytes(data)
        return found

    def holds(self, name: AssetName, data: Buffer) -> bool:
        return self.assets.get(name) == data


@dataclass(frozen=True)
class Spilled:
    """A session with references, its assets, and what the ledger says."""

    text: bytes
    assets: dict[AssetName, bytes]
    ledger: Ledger

    @property
    def causes(self) -> list[tuple[str, str]]:
        return [(note.pointer, note.cause) for note in self.ledger.notes]


@contextmanager
def reading_by(size: int) -> Iterator[None]:
    """Let blocks be read in small pieces, so that every boundary is crossed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "READ_SIZE", size)
        yield


def spill_bytes(text: bytes, policy: Policy = EVERYTHING) -> Spilled:
    store = MemoryStore()
    spiller = Spiller(store, policy)
    spilled = b"".join(_edited(block, spiller.edits(block)) for block in blocks_of(text))
    return Spilled(spilled, store.assets, spiller.ledger)


def restore_bytes(text: bytes, assets: dict[AssetName, bytes]) -> bytes:
    return b"".join(_edited(block, _restoring(block, assets)) for block in blocks_of(text))


def runs_in(text: bytes) -> list[Reference]:
    """Well-formed runs: what `restore` gives back; references that an agent wrote itself are not among them."""
    return [reference for block in blocks_of(text) for reference in _references(block)]


def blocks_of(text: bytes) -> Iterator[Block]:
    return jsonl.BlockReader().blocks(io.BytesIO(text))


def _restoring(block: Block, assets: dict[AssetName, bytes]) -> list[Edit]:
    return [edit for run in _references(block) for edit in restore_edits(run, [encode(assets[run.asset])])]


def _references(block: Block) -> Iterator[Reference]:
    for candidate in reference_candidates(block.data, block.stop):
        found = (item for item in find_references(look_at(block.data, candidate)) if isinstance(item, Reference))
        yield from sorted((run for run in found if run.kind is not Kind.NATIVE), key=lambda run: (run.key or run.value).start)


def _edited(block: Block, edits: list[Edit]) -> bytes:
    with memoryview(block.data) as view, view[: block.stop] as text:
        return b"".join(apply_edits(text, edits))
