"""What a model said and nothing follows: not every model goes on from its own words, or takes back thoughts that led to nothing."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from sessionkit.core.model import Role, Thinking
from sessionkit.providers.replay.remarks import Note, Outcome

if TYPE_CHECKING:
    from sessionkit.core.model import Message

_FIRST_TO_REFUSE: Final = (4, 6)
"""Claude 4.6: "This model does not support assistant message prefill. The conversation must end with a user message."."""
_NEXT: Final = "add a message of the user, or in a session with branches name an earlier entry with --leaf"
_LONE: Final = "the reasoning led to nothing, and some hosts refuse such an item: it is sent, as Codex itself sends it"


def tell_last_words(messages: tuple[Message, ...], model: str) -> Outcome:
    """Warn of a model that refuses to go on from what was said last; that stays, since nobody knows what the user would say next."""
    if not messages or not _is_answer(messages[-1]) or "claude" not in model.lower() or not _needs_user(model):
        return Outcome(messages)
    text = f"the request ends with the words of a model, and {model} refuses to go on from there: {_NEXT}"
    return Outcome(messages, (Note(text, messages[-1].origin),))


def tell_lone_reasoning(messages: tuple[Message, ...]) -> Outcome:
    """Warn of recorded reasoning that no words or call of the model follow."""
    followed = pairwise((*messages, None))
    lone = (message for message, after in followed if message and _ends_with_thinking(message) and not _is_answer(after))
    return Outcome(messages, tuple(Note(_LONE, message.origin) for message in lone))


def _is_answer(message: Message | None) -> bool:
    return message is not None and message.role is Role.ASSISTANT


def _ends_with_thinking(message: Message) -> bool:
    return any(isinstance(block, Thinking) for block in message.content[-1:])


def _needs_user(model: str) -> bool:
    from sessionkit.tokens.formulas.models import claude_version  # noqa: PLC0415  few requests end so

    version = claude_version(model)
    return version is not None and version >= _FIRST_TO_REFUSE
