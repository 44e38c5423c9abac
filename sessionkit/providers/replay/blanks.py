"""Texts without a letter: Anthropic refuses them, and they tell nobody anything."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sessionkit.core.model import Text
from sessionkit.providers.base import Thoughts
from sessionkit.providers.replay.contents import with_contents
from sessionkit.providers.replay.remarks import Note, Outcome
from sessionkit.providers.signatures import signature_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Block, Message
    from sessionkit.providers.replay.contents import Holder


def drop_blanks(messages: tuple[Message, ...], thoughts: Thoughts) -> Outcome:
    """Leave out blank texts, in results too, and messages with nothing else in them. A text with a signature of Gemini's is a thought."""
    left = with_contents(messages, partial(_without_blanks, thoughts))
    notes = (Note("the message is empty: it is not sent", message.origin) for message in left if not message.content)
    return Outcome(tuple(message for message in left if message.content), tuple(notes))


def _without_blanks(thoughts: Thoughts, holder: Holder) -> Iterator[Block]:
    for block in holder.content:
        if not isinstance(block, Text) or block.text.strip() or (thoughts is Thoughts.ALL and signature_of(block.carried)):
            yield block
