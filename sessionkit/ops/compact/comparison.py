"""All strategies side by side, in the tokens of one profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction import STRATEGIES
from sessionkit.compaction.base import Plan
from sessionkit.ops.compact.measuring import input_tokens
from sessionkit.ops.compact.parts import at, left_of
from sessionkit.ops.compact.result import Compared, reason_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.compaction import Strategy
    from sessionkit.compaction.base import Outcome
    from sessionkit.core.model import Conversation, Message
    from sessionkit.ops.compact.measuring import Meter
    from sessionkit.ops.compact.options import Options


def compare(conversation: Conversation, options: Options, meter: Meter) -> Iterator[Compared]:
    """Plan by each strategy, in the order of the shelf."""
    for strategy in STRATEGIES:
        settings = options.settings_for(strategy, conversation.format)
        yield _row(strategy, conversation.messages, strategy.plan(conversation.messages, settings), meter)


def _row(strategy: Strategy, messages: Sequence[Message], outcome: Outcome, meter: Meter) -> Compared:
    left = left_of(messages, outcome)
    stays = meter.profile.total(left)
    images, _, media_bytes = meter.media(left)
    plan = outcome if isinstance(outcome, Plan) else None
    return Compared(
        strategy=strategy.name,
        reason=reason_of(outcome),
        cut=at(messages, plan.cut) if plan else None,
        is_split=plan is not None and plan.prefix is not None,
        gone=meter.profile.total(messages) - stays,
        stays=stays,
        images=images,
        media_bytes=media_bytes,
        input_tokens=input_tokens(strategy.requests(plan), meter.profile) if plan else 0,
    )
