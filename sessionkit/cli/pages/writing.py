"""Write the page, session by session: it may be larger than memory."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from enum import Enum, auto
from typing import TYPE_CHECKING

from sessionkit.cli.pages.document import foot, head
from sessionkit.cli.pages.section import END, Pages, Section, broken_off
from sessionkit.dataclass import dataclass
from sessionkit.errors import SessionkitError
from sessionkit.ops.batch import stopped
from sessionkit.ops.failed import Failed
from sessionkit.ops.gallery import showing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sessionkit.cli.pages.markup import Html
    from sessionkit.ops.batch import Batch
    from sessionkit.ops.gallery import Options, Show
    from sessionkit.ops.sources import Source


class Content(Enum):
    """Whether the page holds the pictures whole, or only small ones."""

    FULL = auto()
    THUMBNAILS = auto()


@dataclass(frozen=True, slots=True)
class Drawn:
    """A session that is in the page.

    `images` are those in its lines, as a scan counts them, `references` those in an asset store; `empty` is what stands in the place
    of an image and is none; `hidden` counts those among all that cannot be shown. `findings` are those of `check`, by fault.
    """

    source: Source
    format: str
    images: int
    references: int
    empty: int
    unique: int
    hidden: int
    findings: Counter[str]

    @classmethod
    def of(cls, show: Show) -> Drawn:
        """Count what is shown."""
        tiles = show.tiles
        return cls(
            show.source,
            show.case.format,
            sum(tile.is_picture and tile.asset is None for tile in tiles),
            sum(tile.asset is not None for tile in tiles),
            sum(not tile.is_picture for tile in tiles),
            show.unique,
            sum(bool(tile.trouble) for tile in tiles),
            Counter(finding.fault for finding in show.findings),
        )


@dataclass(frozen=True, slots=True)
class Choices:
    """What the page holds."""

    options: Options
    content: Content = Content.FULL


class _NothingError(Exception):
    """Leaves the writing of a page that would show nothing, so that none is written."""


def write_gallery(
    sources: Sequence[Source], choices: Choices, batch: Batch, deliver: Callable[[Iterable[bytes]], object]
) -> list[Drawn | Failed]:
    """Hand the page over piece by piece, and tell of each session; where all fail nothing is delivered. Raises what `deliver` raises."""
    page = _Page(sources, choices, batch)
    with suppress(_NothingError):
        deliver(piece.encode() for piece in page.pieces())
    return page.results


class _Page:
    def __init__(self, sources: Sequence[Source], choices: Choices, batch: Batch) -> None:
        self.results: list[Drawn | Failed] = []
        self._sources = sources
        self._choices = choices
        self._batch = batch
        self._pages = Pages()
        self._has_begun = False

    def pieces(self) -> Iterator[Html]:
        for source in self._sources:
            try:
                self._require_going_on()
                yield from self._session(source)
            except SessionkitError as error:
                self.results.append(Failed(source, error))
        if self._shown == 0:
            raise _NothingError
        yield from foot([result for result in self.results if isinstance(result, Failed)], len(self._sources))

    @property
    def _shown(self) -> int:
        return sum(isinstance(result, Drawn) for result in self.results)

    def _require_going_on(self) -> None:
        on_failure = self._batch.on_failure
        if any(on_failure.ends_at(result.error) for result in self.results if isinstance(result, Failed)):
            raise stopped(on_failure)

    def _session(self, source: Source) -> Iterator[Html]:
        with showing(source, self._choices.options) as show:
            if not self._has_begun:
                self._has_begun = True
                yield from head(self._sources)
            part = source.size() // (len(show.tiles) + 1)
            section = Section(show, len(self.results) + 1, self._pages, lambda: self._batch.progress(part))
            yield from section.head()
            try:
                yield from section.tiles()
                if self._choices.content is Content.FULL:
                    yield from section.pictures()
            except SessionkitError as error:
                yield broken_off(error)
                raise
            yield END
            self.results.append(Drawn.of(show))
