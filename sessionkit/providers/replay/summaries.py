"""Summaries and notes, which go out as messages of the user in the words of the agent that wrote the session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.model import Message, Role, Text, UserKind
from sessionkit.dataclass import replace
from sessionkit.providers.replay.remarks import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

_WRAPPERS: Final = {
    "pi": ("The conversation history before this point was compacted into the following summary:\n\n<summary>\n", "\n</summary>"),
    "native": ("[Context summary — earlier conversation compacted]\n\n", ""),
}
"""What stands around a summary of the conversation, by the format of the session; the summaries of others are complete."""
_BRANCH: Final = ("The following is a summary of a branch that this conversation came back from:\n\n<summary>\n", "</summary>")


def summary_text(summary: str, format_: str) -> str:
    """Give a summary as the agent of a format sends it."""
    before, after = _WRAPPERS.get(format_, ("", ""))
    return f"{before}{summary}{after}"


def speak_summaries(messages: tuple[Message, ...], format_: str) -> Outcome:
    """Let the user say what the agent says in the user's place. What the model never sees goes."""
    return Outcome(tuple(_spoken(messages, format_)))


def _spoken(messages: tuple[Message, ...], format_: str) -> Iterator[Message]:
    for message in messages:
        match message.role, message.kind:
            case Role.META, _:
                pass
            case Role.COMPACTION, _:
                summary = replace(message, role=Role.USER, kind=UserKind.NOTE, kept=0, tokens_before=None)
                yield _wrapped(summary, *_WRAPPERS.get(format_, ("", "")))
            case Role.USER, UserKind.BRANCH_SUMMARY:
                yield _wrapped(replace(message, kind=UserKind.NOTE), *_BRANCH)
            case Role.USER, UserKind.NOTE if format_ == "pi":  # Pi sends a list even where it holds a string
                yield replace(message, plain=False)
            case _:
                yield message


def _wrapped(message: Message, before: str, after: str) -> Message:
    if not before:
        return message
    texts = [block for block in message.content if isinstance(block, Text)]
    others = (block for block in message.content if not isinstance(block, Text))
    summary = "\n".join(block.text for block in texts)
    origin = texts[0].origin if texts else message.origin
    return replace(message, content=(Text(f"{before}{summary}{after}", origin), *others), plain=False)
