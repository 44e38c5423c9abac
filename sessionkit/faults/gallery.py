"""All exhibits of a session, and which of them show the same picture."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from sessionkit.core.model import MediaKind, ToolResult
from sessionkit.core.pictures import Facts
from sessionkit.dataclass import replace
from sessionkit.faults.base import State
from sessionkit.faults.exhibits import Form, Place
from sessionkit.faults.families import families_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.model import Block, Conversation
    from sessionkit.core.pictures import Pictures
    from sessionkit.faults.base import Spot
    from sessionkit.faults.exhibits import Exhibit
    from sessionkit.faults.families import Family

_NEAR = 4
"""Lines that twins on different lines stand apart at most."""


class Gallery:
    """The exhibits in the order of their lines, and in the order of walking within a line."""

    def __init__(self, exhibits: Iterable[Exhibit], pictures: Pictures) -> None:
        self.exhibits = tuple(exhibits)
        self._pictures = pictures

    @cached_property
    def live(self) -> tuple[Exhibit, ...]:
        """Those that the next request holds."""
        return tuple(exhibit for exhibit in self.exhibits if exhibit.is_live)

    @cached_property
    def judged(self) -> tuple[Exhibit, ...]:
        """Those that faults are about: all that are sent, or may be when the user goes back to another branch. Twins never are."""
        return tuple(exhibit for exhibit in self.exhibits if exhibit.place is not Place.TWIN)

    def at(self, spot: Spot) -> Exhibit:
        """Find the one that findings at this spot are about; KeyError if there is none."""
        return self._by_spot[spot]

    def twins(self, exhibit: Exhibit) -> tuple[Exhibit, ...]:
        """Find the others that the agent wrote as the same picture, whatever their bytes are now."""
        return tuple(other for other in self.kin((exhibit,)) if other is not exhibit)

    def kin(self, exhibits: Iterable[Exhibit]) -> Iterator[Exhibit]:
        """Give the families of exhibits, each once, with them in it; and their neighbours."""
        exhibits = tuple(exhibits)
        families = {family.name: family for family in map(self.family, exhibits)}
        yield from chain.from_iterable(family.members for family in families.values())
        yield from (self._neighbours[exhibit.spot] for exhibit in exhibits if exhibit.spot in self._neighbours)

    def screens(self, exhibit: Exhibit) -> tuple[Exhibit, ...]:
        """Find its twins that only the agent's screen shows."""
        near = self._neighbours.get(exhibit.spot)
        others = (*self.family(exhibit).screens, near) if near and near.place is Place.TWIN else self.family(exhibit).screens
        return tuple(other for other in others if other is not exhibit)

    def family(self, exhibit: Exhibit) -> Family:
        """Find what the agent wrote as the same picture, the exhibit too."""
        return self._families[id(exhibit)]

    def copies(self, exhibit: Exhibit) -> tuple[Exhibit, ...]:
        """Find the others that have the same bytes, or the same text where that is no base64."""
        return tuple(other for other in self._by_content[self._content(exhibit)] if other is not exhibit)

    @cached_property
    def _by_spot(self) -> dict[Spot, Exhibit]:
        return {exhibit.spot: exhibit for exhibit in self.exhibits}

    @cached_property
    def _families(self) -> dict[int, Family]:
        """By identity: records that are glued on a line have exhibits at equal spots."""
        return {id(member): family for family in families_of(self.exhibits) for member in family.members}

    @cached_property
    def _by_content(self) -> dict[str, list[Exhibit]]:
        found: dict[str, list[Exhibit]] = defaultdict(list)
        for exhibit in self.exhibits:
            found[self._content(exhibit)].append(exhibit)
        return found

    @cached_property
    def _neighbours(self) -> dict[Spot, Exhibit]:
        """Pair the twins that have no owner in common with what they show, both ways."""
        pairs: dict[Spot, Exhibit] = {}
        messages: dict[tuple[int, int | None], list[Exhibit]] = defaultdict(list)
        for exhibit in self.exhibits:
            if exhibit.place is Place.MESSAGE:
                messages[exhibit.line, _rank(exhibit)].append(exhibit)
        for twin in self.exhibits:
            if twin.place is not Place.TWIN:
                continue
            near = ((line, _rank(twin)) for line in range(twin.line - _NEAR, twin.line + _NEAR + 1))
            fitting = [message for place in near for message in messages.get(place, ()) if _shows(twin, message)]
            if fitting:
                nearest = min(fitting, key=lambda message: abs(message.line - twin.line))
                pairs[twin.spot], pairs[nearest.spot] = nearest, twin
        return pairs

    def _content(self, exhibit: Exhibit) -> str:
        """Name the content of an exhibit: its hash, else what stands in the line."""
        look = self._pictures.look(exhibit.media)
        facts = look if isinstance(look, Facts) else look.facts
        return facts.sha256 if facts else f"text:{exhibit.prefix}{exhibit.text}"


def with_states(exhibits: Iterable[Exhibit], conversation: Conversation) -> Iterator[Exhibit]:
    """Tell those that the conversation holds from those that are asleep. Of a format that nobody knows all may be sent."""
    held = {(block.origin.line, block.origin.pointer) for message in conversation.messages for block in _blocks(message.content)}
    for exhibit in exhibits:
        places = (exhibit.block, f"{exhibit.block}/inlineData", f"{exhibit.block}/inline_data")
        is_live = any((exhibit.line, place) in held for place in places) or (
            conversation.format == "unknown" and exhibit.place is not Place.TWIN
        )
        yield replace(exhibit, state=State.LIVE if is_live else State.ASLEEP)


def _blocks(content: Iterable[Block]) -> Iterator[Block]:
    for block in content:
        yield block
        if isinstance(block, ToolResult):
            yield from block.content


def _rank(exhibit: Exhibit) -> int | None:
    """The number of a picture on its line, which is that of its copy on a line nearby, too; None for a document."""
    return None if exhibit.form is Form.FILE or exhibit.media.kind is MediaKind.DOCUMENT else exhibit.number


def _shows(twin: Exhibit, message: Exhibit) -> bool:
    """Whether a twin is that of a message nearby: of a PDF that Claude Code read, of an image that Codex's event of a prompt repeats."""
    if twin.form is Form.FILE and message.media.kind is MediaKind.DOCUMENT:
        return twin.label is None and message.line > twin.line
    is_of_prompt = twin.form is Form.ITEM and twin.block.startswith("/payload/images/")
    return is_of_prompt and message.role == "user" and not message.in_result and message.number == twin.number
