"""Make a session a request body."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TypeAlias

from sessionkit.core.model import Role
from sessionkit.core.pictures import Pictures
from sessionkit.core.stores.opening import open_store
from sessionkit.dataclass import dataclass, replace
from sessionkit.ops.conversations import read_conversation
from sessionkit.ops.rehydrate.aim import take_aim
from sessionkit.ops.rehydrate.missing import with_folder
from sessionkit.ops.rehydrate.options import Fitting
from sessionkit.ops.rehydrate.repeated import tell_repeated_names
from sessionkit.ops.rehydrate.result import Rehydrated, Unsendable
from sessionkit.ops.sessions import spooled
from sessionkit.providers.checks import check
from sessionkit.providers.draft import draft
from sessionkit.providers.replay import Bad, SendingFault, replay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Conversation, Skipped
    from sessionkit.ops.rehydrate.aim import Aim
    from sessionkit.ops.rehydrate.options import Options
    from sessionkit.ops.sources import Source
    from sessionkit.providers.checks import Verdict
    from sessionkit.providers.draft import Draft
    from sessionkit.providers.layouts import Layout, Shift
    from sessionkit.providers.replay import Choices, Note

_NOTHING = SendingFault("no message is left to send", hint="`sessionkit messages` shows what the session holds")
_ROUNDS = 3
"""How often a body is made smaller: the notes on what was done take some bytes themselves."""


_Result: TypeAlias = "Rehydrated | Unsendable"


class _Way(Protocol):
    """Something that can be done about what exceeds a limit."""

    def learn(self, verdict: Verdict, /) -> bool: ...
    def apply(self, conversation: Conversation, /) -> Conversation: ...
    def notes(self, conversation: Conversation, /) -> Iterator[Note]: ...


@contextmanager
def rehydrate(source: Source, options: Options) -> Iterator[Rehydrated | Unsendable]:
    """Build the body of a session's next request, which can be written until the block ends. The session is not changed.

    Raises UnreadableError, RefusedError for what is no session of a known format, and UsageError for an unknown leaf.
    """
    with spooled(source) as readable, open_store(source.store(options.store)) as store:
        conversation = read_conversation(readable, lambda _: None, options.selection)
        work = Builder(source, options, Pictures(store, options.depth), take_aim(conversation, options))
        result = work.made(conversation)
        yield replace(result, notes=(*result.notes, *tell_repeated_names(readable, conversation)))


@dataclass(frozen=True, slots=True)
class Builder:
    """Builds bodies of one session, for conversations that are its own or were made of it."""

    source: Source
    options: Options
    pictures: Pictures
    aim: Aim

    def made(self, conversation: Conversation) -> Rehydrated | Unsendable:
        """Build the body of a conversation, and do about images that exceed a limit what was chosen."""
        result = self.built(conversation)
        notes: list[Note] = []
        for way in self._ways():
            result, changed = self._tried(way, result, conversation)
            notes += way.notes(conversation)
            conversation = changed
        return replace(result, notes=(*result.notes, *notes)) if isinstance(result, Rehydrated) else result

    def built(self, conversation: Conversation) -> Rehydrated | Unsendable:
        """Build the body of a conversation."""
        provider, target = self.options.provider, self.aim.target
        replayed = replay(conversation, provider, target, self._choices, self.pictures)
        notes = (*self.aim.remarks, *replayed.notes)
        faults = replayed.faults if replayed.prompt.messages else (*replayed.faults, _NOTHING)
        skipped = _untold(conversation.skipped, notes)
        if faults:
            placed = with_folder(faults, self.source, self.options.store, conversation)
            return Unsendable(self.source, provider, placed, notes, skipped)
        body = draft({**provider.body(replayed.prompt, target, self.options.style), **self.options.fields})
        return Rehydrated(
            self.source,
            conversation.format,
            provider,
            target,
            body,
            check(body, provider, target.model, self.pictures.look),
            notes,
            self.pictures,
            self._shifts(body, self.options.client, conversation) if self.options.client else None,
            self.options.untried,
            skipped,
        )

    @property
    def _choices(self) -> Choices:
        """Where images are to be converted, a text only stands for those that could not be."""
        choices = self.options.choices
        is_late = self.options.fitting is Fitting.SHRINK and choices.bad is Bad.PLACEHOLDER
        return replace(choices, bad=Bad.KEEP) if is_late else choices

    def _ways(self) -> Iterator[_Way]:
        if self.options.fitting is Fitting.SHRINK:
            from sessionkit.providers.fit import Fitter  # noqa: PLC0415  the ladder costs start-up

            yield Fitter(self.pictures)
        if self.options.choices.bad is Bad.PLACEHOLDER:
            from sessionkit.providers.stand_ins import StandIns  # noqa: PLC0415  few ask for it

            yield StandIns(self.options.provider, self.pictures)

    def _tried(self, way: _Way, result: _Result, conversation: Conversation) -> tuple[_Result, Conversation]:
        """Go a way as long as that helps, from a conversation to another one and its body."""
        changed = conversation
        for _ in range(_ROUNDS):
            if isinstance(result, Unsendable) or not way.learn(result.verdict):
                break
            changed = way.apply(conversation)
            result = self.built(changed)
        return result, changed

    def _shifts(self, body: Draft, client: Layout, conversation: Conversation) -> tuple[Shift, ...]:
        from sessionkit.providers.layouts import turns_of  # noqa: PLC0415  few ask for it

        summaries = {message.origin for message in conversation.messages if message.role is Role.COMPACTION}
        return tuple(client.shifts(turns_of(body.members[self.options.provider.list_name], summaries)))


def _untold(skipped: tuple[Skipped, ...], notes: tuple[Note, ...]) -> tuple[Skipped, ...]:
    """Leave out what is told already, as something that is not sent."""
    told = {note.origin for note in notes}
    return tuple(skip for skip in skipped if skip.origin not in told)
