"""One session of the page, piece by piece."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.pages.document import command
from sessionkit.cli.pages.drawing import draw_timeline
from sessionkit.cli.pages.markup import Html, element, end, join, start, text
from sessionkit.cli.pages.tiles import Portrait, Thumbnail, unshown
from sessionkit.cli.printable import readable
from sessionkit.cli.reports.findings import safe, severity_words, spot_words
from sessionkit.cli.sizes import count
from sessionkit.core.base64 import encode
from sessionkit.core.images import UndecodableError, is_decodable
from sessionkit.core.sniff import SVG
from sessionkit.dataclass import dataclass, field
from sessionkit.errors import SessionkitError
from sessionkit.formats.unknown import Unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sessionkit.core.pictures import Facts
    from sessionkit.faults.base import Finding
    from sessionkit.ops.gallery import Show, Tile

END = Html("</section>\n")
_MOST_NOTES = 20
_MOST_OF_A_DRAWING = 32 << 10
"""Bytes of an SVG that is its own thumbnail."""
_MOST_KEPT = 1000
"""Thumbnails that are kept for when their pictures come again."""


@dataclass(frozen=True, slots=True)
class Pages:
    """What the sessions of a page share: each picture stands in it once, and its thumbnail is made once."""

    written: set[str] = field(default_factory=set)
    _small: dict[str, Thumbnail] = field(default_factory=dict)

    def thumbnail(self, show: Show, tile: Tile) -> Thumbnail:
        """Make the small picture of a tile, or take that of its twin."""
        if tile.facts is None or tile.trouble:
            return Thumbnail("", tile.trouble)
        digest = tile.facts.sha256
        if digest not in self._small:
            while len(self._small) >= _MOST_KEPT:
                self._small.pop(next(iter(self._small)))
            self._small[digest] = _shrink(show, tile, tile.facts)
        return self._small[digest]


def _shrink(show: Show, tile: Tile, facts: Facts) -> Thumbnail:
    if facts.type is SVG:
        is_small = facts.bytes <= _MOST_OF_A_DRAWING
        return (
            Thumbnail(f"data:{SVG.mime};base64,{show.base64(tile).decode()}") if is_small else Thumbnail("", "too large to be shown small")
        )
    if not is_decodable(facts.type, facts.size):
        return Thumbnail("", "of a type that is never decoded")
    try:
        small = show.thumbnail(tile)
    except UndecodableError as error:
        return Thumbnail("", f"cannot be decoded: {error}")
    if facts.bytes <= len(small) and not unshown(facts):
        return Thumbnail(f"data:{facts.type.mime};base64,{show.base64(tile).decode()}")
    return Thumbnail(f"data:image/webp;base64,{encode(small).decode()}")


@dataclass(frozen=True, slots=True)
class Section:
    """A session of the page; `number` tells it from the others, from 1. `tick` is told of each tile."""

    show: Show
    number: int
    pages: Pages
    tick: Callable[[], None]

    @property
    def name(self) -> str:
        """Its id in the page."""
        return f"s{self.number}"

    def head(self) -> Iterator[Html]:
        """Begin it: its name, figures, findings that are about no image, and timeline."""
        source = self.show.source
        yield start("section", id=self.name, class_="session", aria_labelledby=f"{self.name}-name")
        path = element("span", text("standard input" if source.is_stdin else readable(source.path)), class_="path")
        yield join(Html("\n"), element("h2", path, id=f"{self.name}-name"))
        yield element("p", text(self._figures()), class_="figures")
        if self.show.lost:
            yield element("p", *self._lost(), class_="notice")
        if not source.is_stdin:
            check = element("code", text(command("check", source, self.show.store)))
            yield element("p", text("What is wrong with it: "), check, class_="commands")
        yield from self._beside()
        if self.show.timeline:
            yield draw_timeline(self.show.timeline, f"{self.name}-time")
        else:
            yield element("p", text(_no_timeline(self.show.case.format)), class_="figures")
        yield Html("\n")

    def tiles(self) -> Iterator[Html]:
        """Write the contact sheet. Raises ChangedError and what else reading the session raises."""
        yield start("ol", class_="sheet")
        for number, tile in enumerate(self.show.tiles, 1):
            portrait = Portrait(tile, f"{self.name}-i{number}", self.pages.thumbnail(self.show, tile))
            yield portrait.html(self.show.around.of(tile.exhibit))
            self.tick()
        yield join(end("ol"), Html("\n"))

    def pictures(self) -> Iterator[Html]:
        """Write each picture whole that the page does not hold yet, as base64 in a block that no browser runs."""
        for tile in self.show.tiles:
            facts = tile.facts
            if facts is None or tile.trouble or facts.sha256 in self.pages.written or unshown(facts):
                continue
            self.pages.written.add(facts.sha256)
            opened = start("script", type="text/plain", id=f"d-{facts.sha256}")
            yield join(opened, Html(self.show.base64(tile).decode()), end("script"), Html("\n"))

    def _figures(self) -> str:
        show = self.show
        pictures = sum(tile.is_picture for tile in show.tiles)
        empty = len(show.tiles) - pictures
        without = f", {empty:,} more without a picture" if empty else ""
        found = sum(finding.counts for finding in show.findings)
        nothing = "the next request cannot be built" if show.lost else "nothing against the next turn"
        against = f"{count(found, 'finding')} against the next turn" if found else nothing
        return f"{show.case.format} · {count(pictures, 'image')}, {show.unique:,} different{without} · {against}"

    def _lost(self) -> Iterator[Html]:
        """Say why the next request cannot be built, and which command tells more."""
        source, lost = self.show.source, self.show.lost
        files = "a file of its images is" if lost == 1 else f"{lost:,} files of its images are"
        yield text(f"The next request cannot be built: {files} missing or cannot be read. ")
        if not source.is_stdin:
            yield join(element("code", text(command("verify", source, self.show.store))), text(" tells more."))

    def _beside(self) -> Iterator[Html]:
        beside = self.show.beside
        if beside:
            left = len(beside) - _MOST_NOTES
            more = [element("li", text(f"and {left:,} more, which check names"))] if left > 0 else []
            items = element("ul", *map(_note, beside[:_MOST_NOTES]), *more)
            summary = element("summary", text(f"{count(len(beside), 'finding')} about no single image"))
            yield element("details", summary, items, class_="beside")


def _no_timeline(name: str) -> str:
    if name == Unknown.id:
        return "There is no timeline: the format of the session is unknown, and so are its messages."
    return "There is no timeline: no message of the session is sent."


def _note(finding: Finding) -> Html:
    words = f" {severity_words(finding)}, {spot_words(finding.spot)}: {safe(finding.cause)}"
    return element("li", element("b", text(finding.fault)), text(words))


def broken_off(error: SessionkitError) -> Html:
    """Close what is open, and say why a session ends too early."""
    why = text(f"The rest is missing: {error.what}{f': {error.why}' if error.why else ''}")
    return join(end("ol"), element("p", why, class_="broken-off"), END)
