"""Count a conversation by a profile, and choose and set up the profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.dataclass import replace
from sessionkit.ops.estimate.options import ALL, AUTO
from sessionkit.ops.estimate.result import Count, MessageCost, ProfileTotal
from sessionkit.tokens import profile_of
from sessionkit.tokens.anchors import context, find_anchor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.core.model import Message
    from sessionkit.ops.estimate.options import Options
    from sessionkit.tokens import Profile
    from sessionkit.tokens.base import Pricing


def count(messages: Sequence[Message], profile: Profile) -> Count:
    """Count every part of every message."""
    costs = [
        MessageCost(index, message.role, message.origin, found)
        for index, (message, found) in enumerate(zip(messages, profile.costs(messages), strict=True))
    ]
    total = max(profile.least, sum([cost.tokens for message in costs for cost in message.costs]))
    anchor = find_anchor(messages)
    return Count(profile.name, profile.constant_tokens, tuple(costs), total, context(messages, profile) if anchor else total, anchor)


def totals(messages: Sequence[Message], profiles: Sequence[Profile]) -> tuple[ProfileTotal, ...]:
    """Count by each profile, without the parts."""
    return tuple(ProfileTotal(profile.name, profile.total(messages), context(messages, profile)) for profile in profiles)


def choose_profiles(session_format: str, options: Options, pricing: Pricing | None) -> list[Profile]:
    """Choose the profiles that were asked for, the one to tell in detail first, and set their prices of media."""
    match options.profile:
        case name if name == ALL:
            chosen = options.profiles
        case name if name == AUTO:
            chosen = (profile_of(session_format, options.profiles),)
        case name:
            chosen = tuple(profile for profile in options.profiles if profile.name == name)
    return [_set_up(profile, options, pricing) for profile in chosen]


def _set_up(profile: Profile, options: Options, pricing: Pricing | None) -> Profile:
    image_tokens = options.image_tokens.of(profile.name)
    if image_tokens is None and pricing is profile.pricing:
        return profile
    return replace(profile, pricing=pricing, image_tokens=profile.image_tokens if image_tokens is None else image_tokens)
