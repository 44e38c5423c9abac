"""Which exhibits the agent wrote as one picture."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby, zip_longest
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from sessionkit.dataclass import dataclass
from sessionkit.faults.exhibits import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.faults.exhibits import Exhibit

_MOST: Final = 32
"""How often one picture is written at most, without the copies that compactions keep. An id that stands there more often is that of many
pictures: some servers give every call the same id."""


@dataclass(frozen=True, slots=True)
class Family:
    """One picture, everywhere. No other has its name. `screens` are those of its members that only the agent's screen shows."""

    name: str
    members: tuple[Exhibit, ...]
    screens: tuple[Exhibit, ...]


def families_of(exhibits: Iterable[Exhibit]) -> Iterator[Family]:
    """Gather exhibits, which are in order, by owner and number; what has no owner stands alone."""
    groups: dict[str, list[Exhibit]] = defaultdict(list)
    for at, exhibit in enumerate(exhibits):
        groups[f"{exhibit.owner}#{exhibit.number}" if exhibit.owner else f"#{at}"].append(exhibit)
    for name, group in groups.items():
        if sum(exhibit.place is not Place.COPY for exhibit in group) <= _MOST:
            yield _family(name, group)
        else:
            yield from (_family(f"{name}#{at}", members) for at, members in enumerate(_parted(group)))


def _family(name: str, members: Iterable[Exhibit]) -> Family:
    members = tuple(members)
    return Family(name, members, tuple(member for member in members if member.place is Place.TWIN))


def _parted(group: Iterable[Exhibit]) -> Iterator[tuple[Exhibit, ...]]:
    """Leave together only what stands on one line: the first message with the first twin, and so on."""
    for _, run in groupby(group, key=attrgetter("line")):
        places: dict[Place, list[Exhibit]] = {place: [] for place in Place}
        for exhibit in run:
            places[exhibit.place].append(exhibit)
        yield from (tuple(filter(None, together)) for together in zip_longest(*places.values()))
