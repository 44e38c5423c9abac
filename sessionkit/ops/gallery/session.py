"""Lay out the images of one session."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.core.images import thumbnail
from sessionkit.core.stores.opening import open_store
from sessionkit.dataclass import dataclass
from sessionkit.faults import FAULTS
from sessionkit.faults.open import Options as CaseOptions
from sessionkit.ops.cases import named, plain
from sessionkit.ops.gallery.around import Around
from sessionkit.ops.gallery.tiles import beside, tiles_of
from sessionkit.ops.gallery.timeline import timeline_of
from sessionkit.ops.gallery.tools import tools_of
from sessionkit.ops.sources import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.stores.addresses import Address
    from sessionkit.faults.base import Finding
    from sessionkit.faults.case import Case
    from sessionkit.ops.gallery.options import Options
    from sessionkit.ops.gallery.tiles import Tile
    from sessionkit.ops.gallery.timeline import Timeline

THUMBNAIL_SIDE = 320
"""Pixels: sharp at half of it on the screens of today."""


@dataclass(frozen=True, slots=True)
class Show:
    """The images of a session that is open, in the order of its lines; and its timeline, if it has messages.

    `store` is the one that was named, None for the one beside the session. `findings` are all that `check` finds; `beside` are those
    that are about no single image. `around` finds the texts around images.
    """

    source: Source
    store: Address | None
    case: Case
    findings: tuple[Finding, ...]
    tiles: tuple[Tile, ...]
    timeline: Timeline | None
    around: Around

    @property
    def beside(self) -> tuple[Finding, ...]:
        """Findings about other things than single images."""
        return tuple(beside(self.findings, self.tiles))

    @property
    def unique(self) -> int:
        """Different images among all; what is no base64 is like no other."""
        return len({tile.sha256 or tile.exhibit.spot for tile in self.tiles if tile.is_picture})

    @property
    def lost(self) -> int:
        """Assets without which the next request cannot be built."""
        return len({tile.asset for tile in self.tiles if tile.is_lost})

    def thumbnail(self, tile: Tile) -> bytes:
        """Shrink the image of a tile without trouble, to a WebP. Raises UndecodableError, and what `Pictures.data` raises."""
        return thumbnail(self.case.pictures.data(tile.exhibit.media), THUMBNAIL_SIDE)

    def base64(self, tile: Tile) -> bytes:
        """Give the whole image of a tile without trouble. Raises what `Pictures.base64` raises."""
        return self.case.pictures.base64(tile.exhibit.media)


@contextmanager
def showing(source: Source, options: Options) -> Iterator[Show]:
    """Lay a session open until the block ends. Raises UnreadableError for what is no session, and what else opening it raises."""
    store = source.store(options.store)
    with plain(source) as path, named(path, source, CaseOptions(store=store, budget=0)) as case:
        findings = tuple(finding for fault in FAULTS for finding in fault.find(case))
        tiles = tuple(tiles_of(case, findings, tools_of(case)))
        yield Show(source, options.store, case, findings, tiles, _timeline(path, case, store, options), Around(case.lines))


def _timeline(path: Path, case: Case, store: Address, options: Options) -> Timeline | None:
    if not case.conversation.messages:
        return None
    with open_store(store) as assets:
        return timeline_of(Source(path, Path(path.name)), case.conversation.messages, assets, options.preview(store))
