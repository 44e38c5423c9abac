"""Look at a spilled session before a byte is written: which assets it needs, whether they are there, how large it will be."""

from __future__ import annotations

from collections import deque
from enum import Enum, auto
from typing import TYPE_CHECKING

from sessionkit.core.base64 import encoded_size
from sessionkit.core.jsonl import LineCounter
from sessionkit.core.media.finder import look_at
from sessionkit.core.media.references import Kind, Oddity, OddReference, Reference, find_references
from sessionkit.core.media.scopes import NO_SCOPE
from sessionkit.core.media.triage import reference_candidates
from sessionkit.dataclass import dataclass, field, replace
from sessionkit.errors import AssetCorruptError, AssetMissingError, Place
from sessionkit.ops.ledger import Note
from sessionkit.ops.restore.options import Missing, Native, Options, RestoreLedger
from sessionkit.ops.sessions import reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.assets import AssetName
    from sessionkit.core.jsonl import Block
    from sessionkit.core.media.finder import Look
    from sessionkit.core.stores.base import AssetStore
    from sessionkit.core.streams import ByteStream

_MOST_NOTES = 1000
_MOST_REMEMBERED = 5000
"""References that are kept from the first reading; a session with more of them is searched twice, so that memory stays bounded."""


class Trust(Enum):
    """How an asset is looked at: by its directory entry, or by all its bytes."""

    ENTRY = auto()
    BYTES = auto()


@dataclass(slots=True)
class Survey:
    """What the first reading found; `sizes` in bytes of the assets that can be used, `lost` those that cannot.

    `remembered` holds the references that will be restored, with the offset of their block, unless there are too many.
    """

    ledger: RestoreLedger = field(default_factory=RestoreLedger)
    sizes: dict[AssetName, int] = field(default_factory=dict)
    lost: set[AssetName] = field(default_factory=set)
    remembered: deque[tuple[int, Reference]] | None = field(default_factory=deque)

    def wants(self, reference: Reference, options: Options) -> bool:
        """Whether this reference is to be restored."""
        return is_chosen(reference, options) and reference.asset not in self.lost

    def remember(self, offset: int, reference: Reference) -> None:
        """Keep a reference for the second reading, without the line around it."""
        if self.remembered is not None:
            self.remembered.append((offset, replace(reference, scope=NO_SCOPE)))
            if len(self.remembered) > _MOST_REMEMBERED:
                self.remembered = None

    def wanted_in(self, block: Block, options: Options) -> Iterator[Reference]:
        """References of a block that are to be restored, in the order of their bytes; blocks must come in order."""
        if self.remembered is None:
            found = (reference for _, line in references_in(block) for reference in line)
            yield from (item for item in found if isinstance(item, Reference) and self.wants(item, options))
            return
        while self.remembered:
            offset, reference = self.remembered[0]
            if offset + reference.value.start >= block.offset + block.stop:
                return
            self.remembered.popleft()
            yield reference.moved(offset - block.offset)


def is_chosen(reference: Reference, options: Options) -> bool:
    """Whether this reference is to be restored if its asset can be used."""
    return reference.kind is not Kind.NATIVE or (options.native is Native.INLINE and "data" not in reference.scope.names)


def references_in(block: Block) -> Iterator[tuple[Look, list[Reference | OddReference]]]:
    """References of each line of a block that has some, in the order of their bytes."""
    for candidate in reference_candidates(block.data, block.stop):
        look = look_at(block.data, candidate)
        found = list(find_references(look))
        if found:
            found.sort(key=_start)
            yield look, found


def _start(found: Reference | OddReference) -> int:
    if isinstance(found, OddReference):
        return 0
    return (found.key or found.value).start


class Surveyor:
    """Reads a session once and fills a survey."""

    def __init__(self, store: AssetStore, options: Options, trust: Trust) -> None:
        self.survey = Survey()
        self._store = store
        self._options = options
        self._trust = trust

    def read(self, stream: ByteStream) -> Survey:
        """Look at every reference; AssetMissingError or AssetCorruptError at the first that cannot be restored, if that stops."""
        for block in reader.blocks(stream):
            self.survey.ledger.written += block.stop
            lines = LineCounter(block)
            for look, found in references_in(block):
                line = lines.at(look.skeleton.base)
                for reference in found:
                    self._look(block, Place(str(stream.path), line, reference.scope.pointer()), reference)
        return self.survey

    def _look(self, block: Block, place: Place, found: Reference | OddReference) -> None:
        ledger = self.survey.ledger
        if isinstance(found, OddReference):
            ledger.left += found.reason is Oddity.FORM
            self._note(place, found.reason)
            return
        if found.kind is Kind.NATIVE:
            ledger.native += 1
        if not is_chosen(found, self._options):
            return
        size = self._size(found.asset, place)
        if size is None:
            ledger.left += 1
            self._note(place, f"{found.asset.reference} is missing or corrupt")
            return
        ledger.references += 1
        self.survey.remember(block.offset, found)
        ledger.written += _growth(found, size)

    def _size(self, asset: AssetName, place: Place) -> int | None:
        """Bytes of the asset; None when it is lost and that does not stop."""
        survey = self.survey
        if asset in survey.lost:
            return None
        if asset not in survey.sizes:
            try:
                survey.sizes[asset] = self._measure(asset)
            except (AssetMissingError, AssetCorruptError) as error:
                if self._options.missing is Missing.STOP:
                    raise type(error)(f"{asset.reference}: {error.what}", place=place, why=str(error.why), hint=error.hint) from error
                survey.lost.add(asset)
                return None
        return survey.sizes[asset]

    def _measure(self, asset: AssetName) -> int:
        return self._store.check(asset).size if self._trust is Trust.BYTES else self._store.stat(asset).size

    def _note(self, place: Place, cause: str) -> None:
        if len(self.survey.ledger.notes) < _MOST_NOTES:
            self.survey.ledger.notes.append(Note(place.line or 0, place.pointer or "", cause))


def _growth(reference: Reference, size: int) -> int:
    quotes = 2
    before = reference.value.stop - reference.value.start
    if reference.key is not None:
        before += reference.key.stop - reference.key.start
    return encoded_size(size) + len(reference.prefix) + quotes + len(reference.field_token) - before
