"""The images of a session where they stand: what each of them is, where it came from, and what is wrong with it."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from sessionkit.core.images import MAX_PIXELS, TOO_MANY_PIXELS
from sessionkit.core.model import MediaKind, Stored
from sessionkit.core.pictures import Facts, Trouble
from sessionkit.core.sniff import Family
from sessionkit.dataclass import dataclass
from sessionkit.faults.exhibits import Place
from sessionkit.ops.gallery.survey import survey

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sessionkit.core.assets import AssetName
    from sessionkit.faults.base import Finding, Spot
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit

_FAMILIES = frozenset({Family.IMAGE, Family.UNKNOWN})


@dataclass(frozen=True, slots=True)
class Tile:
    """An image in its place.

    `trouble` says why there is nothing to be seen, and is empty as a rule. `is_picture` is false of what stands in the place of an
    image and is none. `tool` is the name of the tool that gave it, `times` how often its bytes stand in the session.
    """

    exhibit: Exhibit
    facts: Facts | None
    trouble: str
    is_picture: bool
    tool: str
    times: int
    findings: tuple[Finding, ...]

    @property
    def asset(self) -> AssetName | None:
        """Its name in the asset store, if that is where it stands."""
        source = self.exhibit.media.source
        return source.asset if isinstance(source, Stored) else None

    @property
    def sha256(self) -> str | None:
        """The hash of its bytes; of an asset, what it is by its name, also where nobody can read it. None where there are no bytes."""
        return _sha256(self.exhibit, self.facts)

    @property
    def is_lost(self) -> bool:
        """Whether it is in the next request, which cannot be built because its asset is missing, or cannot be read."""
        return self.asset is not None and self.exhibit.is_live and self.facts is None


def tiles_of(case: Case, findings: Iterable[Finding], tools: Mapping[str, str]) -> Iterator[Tile]:
    """Lay out all images, in the order of the lines. `tools` are the names of tools by the ids of calls. Raises what `Case.look` raises."""
    surveyed = survey(case)
    images = [exhibit for exhibit in sorted((*case.exhibits, *surveyed.strays), key=_line) if _is_image(case, exhibit)]
    times = Counter(_sha256(exhibit, case.facts(exhibit)) for exhibit in images)
    found = _by_spot(findings)
    for exhibit in images:
        facts = case.facts(exhibit)
        digest = _sha256(exhibit, facts)
        yield Tile(
            exhibit,
            facts,
            _trouble(case, exhibit),
            exhibit.spot in surveyed.spots or isinstance(exhibit.media.source, Stored),
            tools.get(exhibit.owner, "") if exhibit.in_result or exhibit.place is Place.TWIN else "",
            times[digest] if digest else 1,
            tuple(found[exhibit.spot]),
        )


def beside(findings: Iterable[Finding], tiles: Iterable[Tile]) -> Iterator[Finding]:
    """Those that are about no image that is shown."""
    spots = {tile.exhibit.spot for tile in tiles}
    return (finding for finding in findings if finding.spot not in spots and spots.isdisjoint(finding.twins))


def _by_spot(findings: Iterable[Finding]) -> Mapping[Spot, list[Finding]]:
    """Find what is told of each place; and of the same picture elsewhere, where nothing of that kind is told of this one.

    A picture that stands in a thousand places may have a finding at each of them: it is looked for once at all the others.
    """
    found: dict[Spot, list[Finding]] = defaultdict(list)
    own: set[tuple[Spot, str]] = set()
    elsewhere: dict[tuple[Spot, str], Finding] = {}
    for finding in findings:
        found[finding.spot].append(finding)
        own.add((finding.spot, finding.fault))
        if (finding.spot, finding.fault) not in elsewhere:
            elsewhere |= {(twin, finding.fault): finding for twin in finding.twins}
    for (spot, fault), finding in elsewhere.items():
        if (spot, fault) not in own:
            found[spot].append(finding)
    return found


def _sha256(exhibit: Exhibit, facts: Facts | None) -> str | None:
    match exhibit.media.source:
        case Stored(asset):
            return asset.digest
        case _:
            return facts.sha256 if facts else None


def _line(exhibit: Exhibit) -> int:
    return exhibit.line


def _is_image(case: Case, exhibit: Exhibit) -> bool:
    """Documents are none, unless they are in the place of an image."""
    facts = case.facts(exhibit)
    return exhibit.media.kind is MediaKind.IMAGE or (facts is not None and facts.type.family is Family.IMAGE)


def _trouble(case: Case, exhibit: Exhibit) -> str:
    match case.look(exhibit):
        case Trouble(reason=reason):
            return exhibit.flaw or reason
        case Facts(type=media) if media.family not in _FAMILIES:
            return f"not an image: its bytes are {media.mime}"
        case Facts(type=media) if media.family is Family.UNKNOWN:
            return "not an image: its bytes are of no known type"
        case Facts(size=size) if size is not None and size.width * size.height > MAX_PIXELS:
            return TOO_MANY_PIXELS
        case _:
            return ""
