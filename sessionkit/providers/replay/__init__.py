"""What of a conversation is sent, and how, before any interface spells it: rules, each of them from messages to messages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass
from sessionkit.providers.base import Prompt
from sessionkit.providers.replay.aborted import drop_broken_turns
from sessionkit.providers.replay.arguments import replace_numbers, tell_numbers, wrap_arguments
from sessionkit.providers.replay.assistant_images import hand_over_images
from sessionkit.providers.replay.blanks import drop_blanks
from sessionkit.providers.replay.call_ids import fit_ids
from sessionkit.providers.replay.choices import Bad, Choices, Missing, Orphans
from sessionkit.providers.replay.definitions import settle_tools
from sessionkit.providers.replay.ending import tell_last_words, tell_lone_reasoning
from sessionkit.providers.replay.items import is_sent_as_recorded, keep_own_items
from sessionkit.providers.replay.media import MediaRule
from sessionkit.providers.replay.opening import begin_with_user
from sessionkit.providers.replay.places import put_in_place, tell_stand_ins, without_incomplete, without_unsupported
from sessionkit.providers.replay.references import vendor_of
from sessionkit.providers.replay.remarks import Note, Outcome, SendingFault
from sessionkit.providers.replay.results import answer_calls, answer_in_place
from sessionkit.providers.replay.shell import shell_text, tell_commands
from sessionkit.providers.replay.speakers import tell_names
from sessionkit.providers.replay.summaries import speak_summaries, summary_text
from sessionkit.providers.replay.surrogates import clean_messages, clean_text, clean_tools
from sessionkit.providers.replay.system import choose_system, choose_tools, system_text, without_system
from sessionkit.providers.replay.thinking import OwnThoughts
from sessionkit.providers.replay.tool_names import fit_names
from sessionkit.providers.replay.vision import omit_all, omit_declared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Conversation, Media
    from sessionkit.core.pictures import Pictures
    from sessionkit.providers.base import Provider, Target, Tool
    from sessionkit.providers.replay.remarks import Rule

__all__ = ["Bad", "Choices", "Missing", "Note", "Orphans", "Replayed", "SendingFault", "replay", "shell_text", "summary_text"]


@dataclass(frozen=True, slots=True)
class Replayed:
    """A conversation as it is sent. Nothing may be sent if there are faults."""

    prompt: Prompt
    notes: tuple[Note, ...] = ()
    faults: tuple[SendingFault, ...] = ()


def replay(  # noqa: PLR0913, PLR0917  what is sent, to whom, how, and where its media are
    conversation: Conversation, provider: Provider, target: Target, choices: Choices, pictures: Pictures
) -> Replayed:
    """Make a conversation into a prompt, the same wherever its media are. `conversation` is not changed.

    Where the interface takes the items of the session's format as they are, only what it would refuse is changed.
    """
    aim = _Aim(conversation.format, provider, target, choices, pictures)
    clean = clean_messages(conversation.messages)
    held = system_text(clean.messages)
    system, system_notes = choose_system(held, choices.system)
    tools, tool_notes = _tools(conversation, aim)
    sent = _sent(clean, aim)
    named = fit_names(sent.messages, tools, provider.names)
    apart = "" if held and aim.takes_items else clean_text(system)
    return Replayed(Prompt(named.messages, apart, named.tools), (*system_notes, *tool_notes, *sent.notes, *named.notes), sent.faults)


def _tools(conversation: Conversation, aim: _Aim) -> tuple[tuple[Tool, ...], tuple[Note, ...]]:
    chosen, notes = choose_tools(conversation, aim.choices.tools)
    clean, clean_notes = clean_tools(chosen)
    settled, settled_notes = settle_tools(clean, aim.provider)
    return settled, (*notes, *clean_notes, *settled_notes)


def _sent(clean: Outcome, aim: _Aim) -> Outcome:
    """Apply all rules, one to what the other has left."""
    messages, notes, faults = clean.messages, [*clean.notes], [*clean.faults]
    for rule in aim.rules_for_items() if aim.takes_items else aim.rules():
        outcome = rule(messages)
        messages = outcome.messages
        notes += outcome.notes
        faults += outcome.faults
    return Outcome(messages, tuple(notes), tuple(faults))


@dataclass(frozen=True, slots=True)
class _Aim:
    """Whom the prompt is for, and what is allowed on the way; `format` is that of the session."""

    format: str
    provider: Provider
    target: Target
    choices: Choices
    pictures: Pictures

    @property
    def takes_items(self) -> bool:
        return self.format in self.provider.own_formats

    def rules(self) -> Iterator[Rule]:
        """Rules in their order: each may rely on those before it."""
        yield partial(speak_summaries, format_=self.format)
        yield tell_commands
        yield put_in_place
        yield without_unsupported
        yield without_system
        yield drop_broken_turns
        yield tell_names
        yield OwnThoughts(self.provider, self.target)
        yield partial(drop_blanks, thoughts=self.provider.thoughts)
        yield partial(answer_calls, orphans=self.choices.orphans)
        yield tell_stand_ins
        yield hand_over_images
        yield from self._rules_for_media()
        yield wrap_arguments
        yield replace_numbers
        yield begin_with_user
        yield partial(tell_last_words, model=self.target.model)
        yield partial(fit_ids, rule=self.provider.ids)

    def rules_for_items(self) -> Iterator[Rule]:
        """Rules that leave a sound session as it is."""
        yield partial(speak_summaries, format_=self.format)
        yield put_in_place
        yield without_incomplete
        yield partial(keep_own_items, model=self.target.model)
        yield partial(drop_blanks, thoughts=self.provider.thoughts)
        yield partial(answer_in_place, orphans=self.choices.orphans)
        yield partial(tell_stand_ins, is_sent=is_sent_as_recorded)
        yield hand_over_images
        yield from self._rules_for_media()
        yield wrap_arguments
        yield replace_numbers
        yield tell_numbers
        yield tell_lone_reasoning
        yield partial(fit_ids, rule=self.provider.ids)

    def _rules_for_media(self) -> Iterator[Rule]:
        """Omit what a model does not see before anything is read, and again what only its bytes have told."""
        if not self.target.sees:
            yield partial(omit_declared, model=self.target.model)
        yield MediaRule(self.provider, self.choices, self.pictures, self._resolves)
        if not self.target.sees:
            yield partial(omit_all, model=self.target.model)

    def _resolves(self, media: Media, uri: str) -> bool:
        return self.takes_items or vendor_of(media, uri, self.format) == self.target.vendor
