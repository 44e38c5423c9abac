"""Media as they are: their types by their bytes, and what cannot be sent or read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sessionkit.core.model import Media, MediaKind, Stored, Text, Uri
from sessionkit.core.pictures import Trouble
from sessionkit.core.sniff import BIN, GIF, Family
from sessionkit.dataclass import dataclass, replace
from sessionkit.providers.replay.choices import Bad, Missing
from sessionkit.providers.replay.contents import with_contents
from sessionkit.providers.replay.references import trouble_with
from sessionkit.providers.replay.remarks import Note, Outcome, SendingFault

if TYPE_CHECKING:
    from collections.abc import Callable

    from sessionkit.core.model import Block, Message
    from sessionkit.core.pictures import Facts, Pictures
    from sessionkit.providers.base import Provider
    from sessionkit.providers.replay.choices import Choices
    from sessionkit.providers.replay.contents import Holder

_ALIASES: Final = {"image/jpg": "image/jpeg", "image/heif": "image/heic"}
_HEARD_AND_WATCHED: Final = {"audio/": Family.AUDIO, "video/": Family.VIDEO}
STOOD_FOR: Final = "so a text stands for it"
_DIGITS: Final = 12
_LONGEST: Final = 60
_TO_REPAIR: Final = "`sessionkit repair` converts it for good"
TO_FIND: Final = "put the file back from a backup"
_TO_CURE: Final = "`sessionkit repair` cures what can be cured"
_FIT: Final = "`--fit` converts it for this request"
_SPARE: Final = "`--bad-image placeholder` sends a text instead"
_STAND_IN: Final = "`--missing placeholder` sends a text instead"

_is_media_type = re.compile(r"[a-z0-9][a-z0-9.+-]{0,63}/[a-z0-9][a-z0-9.+-]{0,63}").fullmatch


@dataclass(frozen=True, slots=True)
class _Settled:
    """What goes out for a medium, and what is to be said about it."""

    block: Text | Media
    note: str = ""
    fault: str = ""
    hint: str = ""
    option: str = ""


@dataclass(frozen=True, slots=True)
class MediaRule:
    """Looks at every medium. `resolves` tells whether the target knows what another place of the network holds."""

    provider: Provider
    choices: Choices
    pictures: Pictures
    resolves: Callable[[Media, str], bool]

    def __call__(self, messages: tuple[Message, ...]) -> Outcome:
        notes: list[Note] = []
        faults: list[SendingFault] = []

        def settle(holder: Holder) -> list[Block]:
            return [self._remarked(block, notes, faults) if isinstance(block, Media) else block for block in holder.content]

        return Outcome(with_contents(messages, settle), tuple(notes), tuple(faults))

    def _remarked(self, media: Media, notes: list[Note], faults: list[SendingFault]) -> Text | Media:
        settled = self._settle(media)
        if settled.note:
            notes.append(Note(f"{subject(media)}: {settled.note}", media.origin, settled.option))
        if settled.fault:
            faults.append(SendingFault(f"{subject(media)}: {settled.fault}", media.origin, settled.hint, settled.option))
        return settled.block

    def _settle(self, media: Media) -> _Settled:
        if isinstance(media.source, Uri):
            return self._settle_address(media, media.source.uri)
        look = self.pictures.look(media)
        facts, trouble = (look.facts, look.reason) if isinstance(look, Trouble) else (look, "")
        family = _family(media, facts)
        if family is not Family.IMAGE and family is not Family.DOCUMENT:
            return _omitted(media, family)
        if facts is None or trouble:
            return self._unreadable(media, trouble, facts)
        if facts.type is BIN:
            return self._unreadable(media, "no image that anybody knows", facts)
        if family is Family.DOCUMENT:
            return _as_it_is(replace(media, kind=MediaKind.DOCUMENT), facts)
        return self._settle_image(media, facts)

    def _settle_image(self, media: Media, facts: Facts) -> _Settled:
        refusal, undecoded = refusal_of(facts, self.provider), self.pictures.undecoded(facts)
        if refusal:
            return self._refused(media, facts, refusal)
        return self._spared(media, facts, undecoded) if undecoded else _as_it_is(replace(media, kind=MediaKind.IMAGE), facts)

    def _settle_address(self, media: Media, uri: str) -> _Settled:
        trouble = trouble_with(media, uri)
        if trouble:
            return self._unreadable(media, trouble)
        if self.resolves(media, uri):
            return _Settled(media)
        reason = "only its vendor can resolve it"
        return _Settled(Text(f"({media.kind} omitted: {reason})", media.origin), f"{reason}, {STOOD_FOR}")

    def _refused(self, media: Media, facts: Facts, refusal: str) -> _Settled:
        if self.choices.bad is Bad.KEEP and facts.type.family is Family.IMAGE:
            return _as_it_is(replace(media, kind=MediaKind.IMAGE), facts)
        if self.choices.bad is Bad.PLACEHOLDER:
            return _Settled(stand_in(media, refusal, facts), f"{refusal}, {STOOD_FOR}")
        return _Settled(media, fault=f"{refusal} by {self.provider.id}", hint=_TO_REPAIR, option=f"{_FIT}; {_SPARE}")

    def _spared(self, media: Media, facts: Facts, reason: str) -> _Settled:
        """Settle a picture of which nobody knows whether it decodes."""
        match self.choices.bad:
            case Bad.PLACEHOLDER:
                return _Settled(stand_in(media, reason, facts), f"{reason}, {STOOD_FOR}")
            case Bad.REFUSE:
                return _Settled(media, fault=reason, option=_SPARE)
            case Bad.KEEP:
                settled = _as_it_is(replace(media, kind=MediaKind.IMAGE), facts)
                return replace(settled, note="; ".join(filter(None, (settled.note, reason))), option=_SPARE)

    def _unreadable(self, media: Media, reason: str, facts: Facts | None = None) -> _Settled:
        if self.choices.missing is Missing.PLACEHOLDER:
            return _Settled(stand_in(media, reason, facts), f"{reason}, {STOOD_FOR}")
        hint = TO_FIND if isinstance(media.source, Stored) else _TO_CURE
        return _Settled(media, fault=reason, hint=hint, option=_STAND_IN)


def _family(media: Media, facts: Facts | None) -> Family:
    """Tell what a medium is: by its bytes, else as declared. What is known to be a file of some kind counts as unknown."""
    if facts and facts.type is not BIN:
        return facts.type.family
    declared = next((family for prefix, family in _HEARD_AND_WATCHED.items() if _media_type(media).startswith(prefix)), None)
    known = Family.IMAGE if media.kind is MediaKind.IMAGE else Family.DOCUMENT if facts is None else Family.UNKNOWN
    return declared or known


def _omitted(media: Media, family: Family) -> _Settled:
    """Put a text in the place of what no interface takes from everybody: sounds, films, and files that are no PDF."""
    name = media.kind.value if family is Family.UNKNOWN else family.value
    return _Settled(Text(f"({name} omitted: not supported)", media.origin), f"{name} cannot be sent, {STOOD_FOR}")


def _as_it_is(media: Media, facts: Facts) -> _Settled:
    """Say of a medium what its bytes say; a reference tells pixels, and base64 does not."""
    true = facts.type.mime
    declared = _media_type(media)
    note = f"labelled {declared[:_LONGEST]}, sent as {true}, which it is" if declared and _ALIASES.get(declared, declared) != true else ""
    return _Settled(replace(media, media_type=true, size=facts.size), note)


def refusal_of(facts: Facts, provider: Provider) -> str:
    """Say why an interface does not take an image for its type; empty if it does."""
    if facts.type.mime not in provider.image_types:
        return f"{facts.type.mime} is not accepted"
    moves = facts.type is GIF and facts.is_animated
    return "animations are not accepted" if moves and not provider.takes_animation else ""


def stand_in(media: Media, reason: str, facts: Facts | None = None) -> Text:
    """Make the text that stands for a medium, with what is known of it."""
    declared = _media_type(media)
    media_type = facts.type.mime if facts else declared if _is_media_type(declared) else ""
    size = facts.size if facts else media.size
    digest = facts.sha256 if facts else media.source.asset.digest if isinstance(media.source, Stored) else ""
    parts = (
        reason,
        " ".join(filter(None, (media_type, f"{size.width}x{size.height}" if size else ""))),
        f"sha256:{digest[:_DIGITS]}" if digest else "",
    )
    return Text(f"[{media.kind} unavailable: {'; '.join(filter(None, parts))}]", media.origin)


def _media_type(media: Media) -> str:
    """Return what the session declares, without parameters; empty if nothing."""
    return (media.media_type or "").partition(";")[0].strip().lower()


def subject(media: Media) -> str:
    """Name a medium in a note."""
    return media.source.asset.reference if isinstance(media.source, Stored) else f"inline {media.kind}"
