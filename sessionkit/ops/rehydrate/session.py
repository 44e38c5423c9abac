"""Make a session a request body."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sessionkit.core.model import Role
from sessionkit.core.pictures import Pictures
from sessionkit.core.stores.local import LocalStore
from sessionkit.ops.conversations import read_conversation
from sessionkit.ops.rehydrate.aim import take_aim
from sessionkit.ops.rehydrate.options import Fitting
from sessionkit.ops.rehydrate.result import Rehydrated, Unsendable
from sessionkit.ops.sessions import spooled
from sessionkit.providers.checks import check
from sessionkit.providers.draft import draft
from sessionkit.providers.replay import Fault, Note, replay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Conversation
    from sessionkit.ops.rehydrate.aim import Aim
    from sessionkit.ops.rehydrate.options import Options
    from sessionkit.ops.sources import Source
    from sessionkit.providers.draft import Draft
    from sessionkit.providers.layouts import Layout, Shift

_NOTHING = Fault("no message is left to send", hint="`sessionkit messages` shows what the session holds")
_ROUNDS = 3
"""How often a body is made smaller: the notes on what was done take some bytes themselves."""


@contextmanager
def rehydrate(source: Source, options: Options) -> Iterator[Rehydrated | Unsendable]:
    """Build the body of a session's next request, which can be written until the block ends. The session is not changed.

    Raises UnreadableError, RefusedError for what is no session of a known format, and UsageError for an unknown leaf.
    """
    with spooled(source) as readable, LocalStore(source.store(options.store)) as store:
        conversation = read_conversation(readable, lambda _: None, options.selection)
        work = Builder(source, options, Pictures(store, options.depth), take_aim(conversation, options))
        yield work.fitted(conversation) if options.fitting is Fitting.SHRINK else work.built(conversation)


@dataclass(frozen=True, slots=True)
class Builder:
    """Builds bodies of one session, for conversations that are its own or were made of it."""

    source: Source
    options: Options
    pictures: Pictures
    aim: Aim

    def built(self, conversation: Conversation) -> Rehydrated | Unsendable:
        """Build the body of a conversation."""
        provider, target = self.options.provider, self.aim.target
        replayed = replay(conversation, provider, target, self.options.choices, self.pictures)
        notes = (*map(Note, self.aim.remarks), *replayed.notes)
        faults = replayed.faults if replayed.prompt.messages else (*replayed.faults, _NOTHING)
        if faults:
            return Unsendable(self.source, provider, faults, notes)
        body = draft({**provider.body(replayed.prompt, target, self.options.style), **self.options.fields})
        verdict = check(body, provider, target.model, self.pictures.look)
        shifts = self._shifts(body, self.options.client, conversation) if self.options.client else None
        return Rehydrated(self.source, conversation.format, provider, target, body, verdict, notes, self.pictures, shifts)

    def fitted(self, conversation: Conversation) -> Rehydrated | Unsendable:
        """Make what exceeds a limit smaller, as long as that helps."""
        from sessionkit.providers.fit import Fitter  # noqa: PLC0415  the ladder costs start-up

        fitter = Fitter(self.pictures)
        result = self.built(conversation)
        for _ in range(_ROUNDS):
            if isinstance(result, Unsendable) or not fitter.learn(result.verdict):
                return result
            result = self.built(fitter.apply(conversation))
            if isinstance(result, Rehydrated):
                result = replace(result, notes=(*result.notes, *fitter.notes(conversation)))
        return result

    def _shifts(self, body: Draft, client: Layout, conversation: Conversation) -> tuple[Shift, ...]:
        from sessionkit.providers.layouts import turns_of  # noqa: PLC0415  few ask for it

        summaries = {message.origin for message in conversation.messages if message.role is Role.COMPACTION}
        return tuple(client.shifts(turns_of(body.members[self.options.provider.list_name], summaries)))
