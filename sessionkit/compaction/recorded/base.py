"""What a session tells of a compaction that its agent has made."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from sessionkit.core.model import MediaKind, Origin, Role, media_of
from sessionkit.dataclass import dataclass
from sessionkit.tokens import NEUTRAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionkit.core.model import Message


class Kind(StrEnum):
    """A summary took the place of messages, or old payloads were cleared in place."""

    SUMMARY = "summary"
    CLEARING = "clearing"


@dataclass(frozen=True, slots=True)
class Recorded:
    """One compaction; None, or an empty string, is what the session does not tell.

    `trigger` is in the agent's own word. `tokens_before` and `tokens_after` are the agent's numbers for the whole context,
    `summary_tokens` is our estimate of the summary alone. `kept` counts the messages that were retained, `first_kept` is the id of
    the first of them. Images are those of the conversation.
    """

    origin: Origin
    kind: Kind = Kind.SUMMARY
    trigger: str = ""
    tokens_before: int | None = None
    tokens_after: int | None = None
    kept: int | None = None
    first_kept: str = ""
    summary_tokens: int | None = None
    images_before: int | None = None
    images_after: int | None = None


def images_in(messages: Iterable[Message]) -> int:
    """Count images."""
    return sum(media.kind is MediaKind.IMAGE for media in media_of(messages))


def summarised(origin: Origin, before: Sequence[Message], after: Sequence[Message], line: int) -> Recorded:
    """Compare a conversation that ends before a compaction with the one that begins with its summary, which stands on that line."""
    at = next((at for at, message in enumerate(after) if message.role is Role.COMPACTION and message.origin.line == line), None)
    if at is None:
        return Recorded(origin, images_before=images_in(before))
    kept = [message for message in after[at + 1 :] if message.role not in {Role.META, Role.SYSTEM}]
    return Recorded(
        origin,
        tokens_before=after[at].tokens_before,
        kept=len(kept),
        first_kept=next((message.origin.entry for message in kept[:1] if message.origin.line != line), ""),
        summary_tokens=NEUTRAL.total(after[at : at + 1]),
        images_before=images_in(before),
        images_after=images_in(after),
    )
