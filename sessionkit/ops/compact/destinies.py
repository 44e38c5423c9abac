"""What becomes of each medium, one by one: all of them are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.base import Cleared, Nothing, Plan
from sessionkit.compaction.projection import graves
from sessionkit.compaction.slimming import media_in
from sessionkit.compaction.tombstones import sights
from sessionkit.core.model import Stored, media_of
from sessionkit.core.pictures import Facts
from sessionkit.core.sniff import BIN
from sessionkit.dataclass import dataclass, replace
from sessionkit.ops.compact.parts import parts_of
from sessionkit.ops.compact.result import STAYING, Destiny, Fate, Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sessionkit.compaction.base import Outcome
    from sessionkit.compaction.tombstones import Identity, Tombstones
    from sessionkit.core.model import Media, Message
    from sessionkit.core.pictures import Pictures


@dataclass(frozen=True, slots=True)
class Destinies:
    """Follows the media of a conversation; without `tombstones` there are none."""

    pictures: Pictures
    tombstones: Tombstones | None

    def tell(self, messages: Sequence[Message], outcome: Outcome) -> Iterator[Destiny]:
        """Follow each medium, in order."""
        cleared = {(one.message, one.block) for one in outcome.cleared} if isinstance(outcome, Cleared) else set[tuple[int, int]]()
        lines = self._lines(messages, outcome)
        for index, (message, part) in enumerate(zip(messages, parts_of(messages, outcome), strict=True)):
            for place, block in enumerate(message.content):
                stays = part in STAYING or (part is Part.CLEARED and (index, place) not in cleared)
                for media in media_in(block):
                    found = self._look(media, index, part)
                    yield found if stays else self._lost(found, media, lines)

    def _lines(self, messages: Sequence[Message], outcome: Outcome) -> Mapping[Identity, str]:
        """Write the tombstones."""
        if self.tombstones is None:
            return {}
        match outcome:
            case Nothing():
                return {}
            case Cleared():
                return graves(messages, outcome, self.tombstones)
            case Plan(cut=cut):
                lines = self.tombstones.each(sights(messages[:cut]), media_of(messages[cut:]))
                return dict([*lines.items()][max(0, len(lines) - self.tombstones.most) :])

    def _lost(self, destiny: Destiny, media: Media, lines: Mapping[Identity, str]) -> Destiny:
        line = lines.get(self.tombstones.identity(media), "") if self.tombstones else ""
        if line:
            return replace(destiny, fate=Fate.TOMBSTONE, tombstone=line)
        return replace(destiny, fate=Fate.CLEARED if destiny.part is Part.CLEARED else Fate.STRIPPED)

    def _look(self, media: Media, index: int, part: Part) -> Destiny:
        found = self.pictures.look(media)
        trouble, facts = ("", found) if isinstance(found, Facts) else (found.reason, found.facts)
        digest = media.source.asset.digest if isinstance(media.source, Stored) else None
        unknown = Destiny(index, part, Fate.KEPT, media.kind, media.media_type, media.size, None, digest, media.origin, trouble=trouble)
        if facts is None:
            return unknown
        told = media.media_type if facts.type is BIN else facts.type.mime
        return replace(unknown, media_type=told, size=facts.size or media.size, bytes=facts.bytes, sha256=facts.sha256)
