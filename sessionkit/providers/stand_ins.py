"""Texts for images that an interface would refuse, in what is sent alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.model import Media, MediaKind, media_of
from sessionkit.dataclass import replace
from sessionkit.providers.limits import Rule
from sessionkit.providers.replay.contents import with_contents
from sessionkit.providers.replay.media import STOOD_FOR, refusal_of, stand_in, subject
from sessionkit.providers.replay.remarks import Note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Block, Conversation, MediaSource, Origin
    from sessionkit.core.pictures import Facts, Pictures
    from sessionkit.providers.base import Provider
    from sessionkit.providers.checks import Seen, Verdict
    from sessionkit.providers.replay.contents import Holder

_OF_SINGLE_IMAGES: Final = frozenset(Rule) - {Rule.MEDIA, Rule.REQUEST, Rule.OUTPUT_TEXT}
_TOO_LARGE: Final = "too large"
_TOO_MANY: Final = "too many images"


class StandIns:
    """Learns from verdicts which images cannot be sent, each for itself, and puts texts into their places."""

    def __init__(self, provider: Provider, pictures: Pictures) -> None:
        self._provider = provider
        self._pictures = pictures
        self._bad: dict[MediaSource, tuple[str, Facts]] = {}
        self._spare: dict[Origin, Facts] = {}

    def learn(self, verdict: Verdict) -> bool:
        """Take in what exceeds a limit, and what nobody could look at; False if there is nothing more of it."""
        before = len(self._bad) + len(self._spare)
        for excess in verdict.breaches:
            if excess.rule in _OF_SINGLE_IMAGES and excess.spot.seen:
                self._add(excess.spot.seen, refusal_of(excess.spot.seen.facts, self._provider) or _TOO_LARGE)
        for seen in verdict.media:
            self._add(seen, self._pictures.undecoded(seen.facts))
        self._spare_oldest(verdict)
        return len(self._bad) + len(self._spare) > before

    def apply(self, conversation: Conversation) -> Conversation:
        """Put the texts in."""
        return replace(conversation, messages=with_contents(conversation.messages, self._changed))

    def notes(self, conversation: Conversation) -> Iterator[Note]:
        """Tell of the images of a conversation, as it was before, for which texts stand."""
        for media in media_of(conversation.messages):
            if media.source in self._bad:
                yield Note(f"{subject(media)}: {self._bad[media.source][0]}, {STOOD_FOR}", media.origin)
            elif media.origin in self._spare:
                yield Note(f"{_TOO_MANY}: this is one of the oldest, {STOOD_FOR}", media.origin)

    def _add(self, seen: Seen, reason: str) -> None:
        if reason and seen.media.kind is MediaKind.IMAGE:
            self._bad.setdefault(seen.media.source, (reason, seen.facts))

    def _spare_oldest(self, verdict: Verdict) -> None:
        """Give up as many of the oldest images as there are media too many, apart from those that go anyway.

        They are known by their places: equal ones are one asset in a spilled session, and several in an inline one.
        """
        surplus = sum(excess.measured - excess.allowed for excess in verdict.breaches if excess.rule is Rule.MEDIA)
        images = [seen for seen in verdict.media if seen.media.kind is MediaKind.IMAGE]
        good = [seen for seen in images if seen.media.source not in self._bad]
        for seen in good[: max(0, surplus - (len(images) - len(good)))]:
            self._spare.setdefault(seen.media.origin, seen.facts)

    def _changed(self, holder: Holder) -> Iterator[Block]:
        for block in holder.content:
            if isinstance(block, Media) and block.source in self._bad:
                yield stand_in(block, *self._bad[block.source])
            elif isinstance(block, Media) and block.origin in self._spare:
                yield stand_in(block, _TOO_MANY, self._spare[block.origin])
            else:
                yield block
