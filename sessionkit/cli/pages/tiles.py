"""A tile: a small picture, what is known of it, and as data what the viewer shows beside the large one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.cli.pages.markup import Html, data, element, join, text, visible
from sessionkit.cli.printable import printable, shorten
from sessionkit.cli.reports.findings import chosen, cure_words, severity_words
from sessionkit.cli.reports.messages.elision import without_base64
from sessionkit.cli.sizes import count, size
from sessionkit.core.assets import FOLDER
from sessionkit.core.sniff import AVIF, BIN, BMP, GIF, JPEG, PNG, SVG, WEBP
from sessionkit.dataclass import dataclass
from sessionkit.faults.exhibits import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.pictures import Facts
    from sessionkit.faults.base import Finding
    from sessionkit.ops.gallery import Said, Tile

_SHOWN: Final = frozenset({PNG, JPEG, GIF, WEBP, BMP, AVIF, SVG})
"""What browsers can show."""
_MOST_BYTES: Final = 32 << 20
"""Of a picture that a page holds whole."""
_DIGITS = 12
_LONGEST = 60
_LONGEST_TEXT = 1200


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A small picture as an address that holds its bytes, or why there is none."""

    address: str
    trouble: str = ""


class Portrait:
    """A tile in words and markup; `name` is its id in the page."""

    def __init__(self, tile: Tile, name: str, picture: Thumbnail) -> None:
        self._tile = tile
        self._name = name
        self._picture = picture

    def html(self, around: tuple[Iterable[Said], Iterable[Said]]) -> Html:
        """Write the tile, and what the viewer shows of it."""
        tile = self._tile
        return join(
            element(
                "li",
                element("button", self._image(), *self._badges(), type="button", class_="open"),
                element("p", element("b", text(self._place())), text(f" · {self._from()}"), class_="where"),
                element("p", text(self._measures()), class_="what"),
                *self._sum(),
                *self._faults(),
                data(self._told(around)),
                class_="tile",
                id=self._name,
                data_sha=tile.sha256,
                data_faults=" ".join(dict.fromkeys(finding.fault for finding in tile.findings)),
                data_times=tile.times,
                data_unseen=bool(self._picture.trouble),
            ),
            Html("\n"),
        )

    def _image(self) -> Html:
        if self._picture.trouble:
            kind, why = element("b", text(self._kind())), element("span", text(self._picture.trouble))
            return element("span", kind, *self._file(), why, class_="broken", role="img", aria_label=self._alt())
        return element("img", src=self._picture.address, alt=self._alt(), loading="lazy", decoding="async")

    def _badges(self) -> Iterator[Html]:
        if self._tile.times > 1:
            yield element("span", text(f"×{self._tile.times:,}"), class_="badge", title=f"stands {self._tile.times:,} times in its session")

    def _faults(self) -> Iterator[Html]:
        if self._tile.findings:
            worst = {finding.fault: finding for finding in reversed(self._tile.findings)}
            items = (element("li", text(fault), class_=_tone(finding)) for fault, finding in worst.items())
            yield element("ul", *items, class_="faults", aria_label="findings")

    def _sum(self) -> Iterator[Html]:
        digest = self._tile.sha256
        if digest:
            yield element("p", element("code", text(f"{digest[:_DIGITS]}…"), title=f"sha256 {digest}"), class_="sum")

    def _file(self) -> Iterator[Html]:
        """Name the asset that is not what it should be."""
        asset = self._tile.asset
        if asset and self._tile.facts is None:
            yield element("code", text(f"{FOLDER}/{asset.digest[:_DIGITS]}….{asset.ext}"), title=asset.reference)

    def _place(self) -> str:
        return f"line {self._tile.exhibit.line:,}"

    def _from(self) -> str:
        exhibit, tool = self._tile.exhibit, _name(self._tile.tool)
        if exhibit.place is Place.TWIN:
            return " ".join(filter(None, ["screen copy", f"of {tool}" if tool else ""]))
        return " ".join(filter(None, [exhibit.role or "of no role", tool]))

    def _kind(self) -> str:
        """Name the type: by the bytes, or else as the session declares it, or as its asset is called."""
        facts, asset = self._tile.facts, self._tile.asset
        return facts.type.mime if facts and facts.type is not BIN else _declared(self._tile) or (asset.ext if asset else "no type")

    def _measures(self) -> str:
        facts = self._tile.facts
        pixels = [f"{facts.size.width:,}×{facts.size.height:,}"] if facts and facts.size else []
        return " · ".join([*pixels, *([size(facts.bytes)] if facts else []), self._kind()])

    def _alt(self) -> str:
        """Say all that is known of a picture that nobody has described."""
        times = f", one of {self._tile.times:,} times" if self._tile.times > 1 else ""
        why = f", which cannot be shown: {self._picture.trouble}" if self._picture.trouble else ""
        found = f", {count(len(self._tile.findings), 'finding')}" if self._tile.findings else ""
        return f"Image on {self._place()} from {self._from()}: {self._measures()}{times}{found}{why}"

    def _told(self, around: tuple[Iterable[Said], Iterable[Said]]) -> dict[str, object]:
        before, after = around
        return {
            "facts": [[name, visible(words)] for name, words in self._facts()],
            "findings": [_finding(finding, self._tile) for finding in self._tile.findings],
            "before": [_said(said) for said in before],
            "after": [_said(said) for said in after],
            "mime": self._shown_as(),
            "trouble": visible(self._picture.trouble or self._unseen()),
        }

    def _facts(self) -> Iterator[tuple[str, str]]:
        tile, facts = self._tile, self._tile.facts
        exhibit = tile.exhibit
        yield "Place", f"line {exhibit.line:,} at {without_base64(exhibit.spot.pointer) or '/'}"
        if tile.asset:
            yield "File", tile.asset.reference
        yield "From", self._from()
        yield "In the next request", "yes" if exhibit.is_live else "no"
        if facts:
            yield "Pixels", f"{facts.size.width:,} × {facts.size.height:,}" if facts.size else "not told by its header"
            yield "Bytes", f"{facts.bytes:,} ({size(facts.bytes)})"
            yield "Type", facts.type.mime
        declared = _declared(tile)
        if declared and (facts is None or declared != facts.type.mime):
            yield "Declared type", declared
        if tile.sha256:
            yield "SHA-256", tile.sha256
        yield "In this session", count(tile.times, "time")

    def _shown_as(self) -> str | None:
        """The type that the large picture has; None where nothing can be shown."""
        facts = self._tile.facts
        return facts.type.mime if facts and not self._tile.trouble and not unshown(facts) else None

    def _unseen(self) -> str:
        return unshown(self._tile.facts) if self._tile.facts else ""


def unshown(facts: Facts) -> str:
    """Say why a page does not hold a picture whole; empty where it does."""
    if facts.type not in _SHOWN:
        return f"browsers cannot show {facts.type.mime} in full"
    return f"larger than {_MOST_BYTES >> 20} MiB, and therefore not in the page in full" if facts.bytes > _MOST_BYTES else ""


def _declared(tile: Tile) -> str:
    declared = tile.exhibit.media.media_type
    return printable(chosen(declared)) if declared else ""


def _name(name: str) -> str:
    return shorten(printable(without_base64(name)), _LONGEST)


def _tone(finding: Finding) -> str:
    return finding.severity if finding.counts else "note"


def _finding(finding: Finding, tile: Tile) -> dict[str, str]:
    twin = f", told of line {finding.spot.line:,}" if finding.spot != tile.exhibit.spot else ""
    told = {"fault": finding.fault, "tone": _tone(finding), "severity": severity_words(finding) + twin}
    return told | {"cause": visible(without_base64(finding.cause)), "cure": visible(cure_words(finding))}


def _said(said: Said) -> dict[str, str]:
    who = f"{_name(said.who)}, " if said.who else ""
    words = without_base64(said.text)
    shown = words if len(words) <= _LONGEST_TEXT else f"{words[:_LONGEST_TEXT]}…"
    return {"who": visible(f"{who}line {said.line:,}"), "text": visible(shown)}
