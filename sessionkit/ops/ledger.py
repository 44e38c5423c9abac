"""What a migration did to a session, counted."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sessionkit.core.stores.base import Stored
from sessionkit.dataclass import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sessionkit.core.assets import AssetName
    from sessionkit.core.media.intake import Asset

_MOST_NOTES = 1000
"""Notes that are kept one by one; beyond them only their number is known, so that memory stays bounded."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something worth telling that is no error: a line (from 1), an RFC 6901 pointer into it, a cause in words."""

    line: int
    pointer: str
    cause: str


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of an asset, and its size in bytes."""

    stored: Stored
    length: int


_RANK = {stored: rank for rank, stored in enumerate((Stored.KNOWN, Stored.REUSED, Stored.REPAIRED, Stored.NEW))}


def keep(assets: dict[AssetName, Kept], more: Mapping[AssetName, Kept]) -> None:
    """Add assets of the same store: one that was new anywhere is new once, whoever else met it, and in whatever order."""
    for name, kept in more.items():
        held = assets.get(name)
        if held is None or _RANK[kept.stored] > _RANK[held.stored]:
            assets[name] = kept


@dataclass(frozen=True, slots=True)
class Stock:
    """What became of all media: assets by what became of them (KNOWN: sites whose asset was there by then), and bytes written."""

    counts: Counter[Stored]
    written: int


def take_stock(sites: int, stores: Iterable[Mapping[AssetName, Kept]]) -> Stock:
    """Count the assets of each store once."""
    kept = [kept for assets in stores for kept in assets.values()]
    counts = Counter(each.stored for each in kept)
    counts[Stored.KNOWN] += sites - len(kept)
    return Stock(+counts, sum(each.length for each in kept if each.stored in {Stored.NEW, Stored.REPAIRED}))


@dataclass(slots=True)
class Ledger:
    """Counts of one session or of a part of it; all sizes in bytes.

    `notes` are of media that stayed inline, and of lines that are no JSON although media may stand in them.
    `lines` counts newlines: a last line without one is not among them.
    `references` is what stands in the lines instead of media, `media` the decoded bytes that they stand for.
    `carried` are assets that the session referred to before, and that went along with it.
    """

    read: int = 0
    written: int = 0
    lines: int = 0
    sites: int = 0
    media: int = 0
    references: int = 0
    respelled: int = 0
    unknown: int = 0
    passed_over: int = 0
    carried: int = 0
    assets: dict[AssetName, Kept] = field(default_factory=dict)
    causes: Counter[str] = field(default_factory=Counter)
    notes: list[Note] = field(default_factory=list)

    @property
    def stock(self) -> Stock:
        """What became of the media of this session."""
        return take_stock(self.sites, [self.assets])

    def count(self, asset: Asset) -> None:
        """Count one site that was spilled."""
        self.sites += 1
        self.media += asset.length
        self.respelled += not asset.exact
        self.unknown += asset.name.ext == "bin"
        keep(self.assets, {asset.name: Kept(asset.stored, asset.length)})

    def note(self, note: Note) -> None:
        """Keep a note, or only its cause when there are very many."""
        self.causes[note.cause] += 1
        if len(self.notes) < _MOST_NOTES:
            self.notes.append(note)

    def append(self, later: Ledger) -> None:
        """Add the ledger of the part of the session that follows."""
        self.read += later.read
        self.written += later.written
        self.passed_over += later.passed_over
        self.carried += later.carried
        if later.sites:
            self._append_media(later)
        if later.causes:
            self.causes.update(later.causes)
            room = _MOST_NOTES - len(self.notes)
            self.notes += [replace(note, line=note.line + self.lines) for note in later.notes[:room]]
        self.lines += later.lines

    def _append_media(self, later: Ledger) -> None:
        self.sites += later.sites
        self.media += later.media
        self.references += later.references
        self.respelled += later.respelled
        self.unknown += later.unknown
        keep(self.assets, later.assets)
