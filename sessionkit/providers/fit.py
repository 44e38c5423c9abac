"""Make images small enough for an interface, in what is sent alone: the session and its assets stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.base64 import encode, encoded_size
from sessionkit.core.ladder import PORTABLE, Bounds, Fitted, Unfit, fit
from sessionkit.core.model import Inline, Media, Text, media_of
from sessionkit.core.sniff import JPEG, PNG, Family
from sessionkit.dataclass import replace
from sessionkit.providers.limits import Rule
from sessionkit.providers.replay.contents import with_contents
from sessionkit.providers.replay.remarks import Note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.core.model import Block, Conversation, MediaSource
    from sessionkit.core.pictures import Pictures
    from sessionkit.core.pixels import Size
    from sessionkit.providers.checks import Excess, Verdict
    from sessionkit.providers.replay.contents import Holder

_TAKEN_BY_ALL: Final = frozenset({PNG, JPEG})
"""What an image becomes whose own type is not taken; of the others the model need not know that they have become one of these."""
_SHARE_OF_REQUEST: Final = 0.9
"""Of the bytes that a request may have: some are left for the next turn, and for the notes."""


class Fitter:
    """Learns from verdicts what has to become smaller, and puts it into conversations.

    Every image is made from its original, however often it has to become smaller still.
    """

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self._bounds: dict[MediaSource, Bounds] = {}
        self._made: dict[MediaSource, Fitted | Unfit] = {}
        self._originals: dict[MediaSource, MediaSource] = {}

    def learn(self, verdict: Verdict) -> bool:
        """Take in what exceeds a limit; False if nothing more can be done about it."""
        before = dict(self._bounds)
        for excess in verdict.breaches:
            for source, bounds in self._wishes(excess, verdict):
                if not isinstance(self._made.get(source), Unfit):
                    self._bounds[source] = bounds
        changed = [source for source, bounds in self._bounds.items() if before.get(source) != bounds]
        for source in changed:
            self._made.pop(source, None)
        return bool(changed)

    def apply(self, conversation: Conversation) -> Conversation:
        """Put smaller images in the places of those that must be, with the notes on them before each."""
        return replace(conversation, messages=with_contents(conversation.messages, self._changed))

    def notes(self, conversation: Conversation) -> Iterator[Note]:
        """Tell of the media of a conversation, as it was before, what was made of them."""
        for media in media_of(conversation.messages):
            match self._made.get(media.source):
                case Fitted(_, kind, original, size):
                    text = f"made {kind.mime} of {_pixels(size)} for this body alone; it has {_pixels(original)}"
                    yield Note(text, media.origin)
                case Unfit(reason):
                    yield Note(f"it cannot be made smaller: {reason}", media.origin)

    def _wishes(self, excess: Excess, verdict: Verdict) -> Iterator[tuple[MediaSource, Bounds]]:
        if excess.rule is Rule.REQUEST:
            yield from self._of_all(verdict, int(excess.allowed * _SHARE_OF_REQUEST))
        elif excess.rule is not Rule.MEDIA and excess.spot.seen:
            source = self._original(excess.spot.seen.media)
            bounds = self._bounds.get(source, PORTABLE)
            yield source, replace(bounds, types=_TAKEN_BY_ALL) if excess.rule is Rule.TYPE else bounds

    def _of_all(self, verdict: Verdict, allowed: int) -> Iterator[tuple[MediaSource, Bounds]]:
        """Let the largest images become as small as they must be for the whole request."""
        images = [seen for seen in verdict.media if seen.facts.type.family is Family.IMAGE]
        sizes = [encoded_size(seen.facts.bytes) for seen in images]
        most = min(_cap(sizes, allowed - verdict.size + sum(sizes)), PORTABLE.base64)
        for seen, size in zip(images, sizes, strict=True):
            if size > most > 0:
                source = self._original(seen.media)
                yield source, replace(self._bounds.get(source, PORTABLE), base64=most)

    def _original(self, media: Media) -> MediaSource:
        return self._originals.get(media.source, media.source)

    def _changed(self, holder: Holder) -> Iterator[Block]:
        for block in holder.content:
            if isinstance(block, Media) and block.source in self._bounds:
                yield from self._fitted(block)
            else:
                yield block

    def _fitted(self, media: Media) -> Iterator[Block]:
        if media.source not in self._made:
            self._made[media.source] = fit(self._pictures.data(media), self._bounds[media.source])
        match self._made[media.source]:
            case Fitted(data, kind, _, size, notes):
                smaller = Inline(encode(data).decode())
                self._originals[smaller] = media.source
                yield from (Text(note, media.origin) for note in notes)
                yield replace(media, source=smaller, media_type=kind.mime, size=size)
            case Unfit():
                yield media


def _cap(sizes: Sequence[int], room: int) -> int:
    """Find the most that each may have so that all of them have room; what small ones leave goes to the others."""
    left = len(sizes)
    for size in sorted(sizes):
        if size * left > room:
            return room // left
        room, left = room - size, left - 1
    return max(sizes, default=0)


def _pixels(size: Size) -> str:
    return f"{size.width}x{size.height}"
