"""Recorded usage: what a provider counted beats every estimate of it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from sessionkit.core.model import Role, StopReason
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.core.model import Message, Usage
    from sessionkit.tokens.base import Profile


class AnchorKind(StrEnum):
    """Who counted."""

    USAGE = "usage"
    CLIENT_ESTIMATE = "client_estimate"


@dataclass(frozen=True, slots=True)
class Anchor:
    """The newest usage that still holds: tokens of everything up to and with the message of that index."""

    index: int
    tokens: int
    kind: AnchorKind


_BROKEN_OFF = frozenset({StopReason.ERROR, StopReason.ABORTED})


def find_anchor(messages: Sequence[Message]) -> Anchor | None:
    """Find the usage of the last assistant whose turn came to its end, or a later estimate of the client; None if there is none.

    Usage from before the latest compaction, on messages that it kept, is stale. The compaction may itself carry its client's
    estimate of the context after it, which then covers what it kept.
    """
    role = Role.COMPACTION
    latest = next((index for index in range(len(messages) - 1, -1, -1) if messages[index].role is role), None)
    kept_until = -1 if latest is None else min(latest + messages[latest].kept, len(messages) - 1)
    for index in range(len(messages) - 1, kept_until, -1):
        usage = _usage_of(messages[index])
        if usage is not None:
            return _anchor(index, usage)
    usage = None if latest is None else messages[latest].usage
    return _anchor(kept_until, usage) if usage and usage.estimated and usage.sum else None


def context(messages: Sequence[Message], profile: Profile) -> int:
    """Count the context of the next request: the anchor, and the estimate of what came after it; without an anchor all is estimated.

    Not comparable with `profile.total`: usage contains the system prompt and tool definitions that no session holds.
    """
    anchor = find_anchor(messages)
    if anchor is None:
        return profile.total(messages)
    return anchor.tokens + sum(cost.tokens for costs in profile.costs(messages[anchor.index + 1 :]) for cost in costs)


def _usage_of(message: Message) -> Usage | None:
    """Return what was billed for an assistant's turn that came to its end, or what the client itself has estimated up to any message."""
    usage = message.usage
    if usage is None or usage.sum == 0 or message.stop_reason in _BROKEN_OFF:
        return None
    return usage if usage.estimated or message.role is Role.ASSISTANT else None


def _anchor(index: int, usage: Usage) -> Anchor:
    return Anchor(index, usage.sum, AnchorKind.CLIENT_ESTIMATE if usage.estimated else AnchorKind.USAGE)
