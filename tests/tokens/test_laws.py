from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, NoReturn

from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.model import Inline
from sessionkit.tokens import PROFILES
from sessionkit.tokens.anchors import context, find_anchor
from sessionkit.tokens.base import Rounding, Scope
from sessionkit.tokens.claude import Claude
from sessionkit.tokens.gates import GATES, QwenGate, Watermark
from sessionkit.tokens.pi import Generation, Pi
from tests.tokens.conversations import STORED, conversations, with_source

if TYPE_CHECKING:
    from random import Random

    from sessionkit.core.model import Message
    from sessionkit.tokens.gates import Gate

ALL = [*PROFILES, Pi(generation=Generation.BEFORE), Claude(factor=Fraction(4, 3)), *(replace(one, image_tokens=77) for one in PROFILES)]


class Untouchable(Inline):
    """Media that nobody may read."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> NoReturn:
        raise AssertionError(name)


@given(conversations)
def test_media_cost_the_same_wherever_they_lie(conversation: list[Message]) -> None:
    spilled = with_source(conversation, STORED)
    for profile in ALL:
        assert list(profile.costs(spilled)) == list(profile.costs(conversation))
        assert context(spilled, profile) == context(conversation, profile)


@given(conversations)
def test_media_are_never_read(conversation: list[Message]) -> None:
    untouchable = with_source(conversation, object.__new__(Untouchable))
    for profile in ALL:
        profile.total(untouchable)


@given(conversations)
def test_parts_add_up(conversation: list[Message]) -> None:
    for profile in ALL:
        tokens = [cost.tokens for costs in profile.costs(conversation) for cost in costs]
        assert all(count >= 0 for count in tokens)
        assert profile.total(conversation) == max(profile.least, sum(tokens))


ROUND = {Rounding.UP: ceil, Rounding.DOWN: floor, Rounding.HALF_UP: lambda tokens: floor(tokens + Fraction(1, 2))}


@given(conversations)
def test_what_is_rounded_together_is_rounded_once(conversation: list[Message]) -> None:
    for profile in PROFILES:
        weights = [sum(share.units for share in parcel) for message in conversation for parcel in profile.parcels(message)]
        apart = weights if profile.scope is Scope.PARCEL else [sum(weights)]
        tokens = sum(ROUND[profile.rounding](Fraction(units, profile.units_per_token)) for units in apart)
        assert profile.total(conversation) == max(profile.least, tokens)


@given(conversations, st.randoms())
def test_the_order_of_messages_does_not_matter(conversation: list[Message], random: Random) -> None:
    shuffled = list(conversation)
    random.shuffle(shuffled)
    for profile in ALL:
        assert profile.total(shuffled) == profile.total(conversation)


@given(conversations, conversations)
def test_what_is_rounded_apart_is_additive(first: list[Message], second: list[Message]) -> None:
    for profile in PROFILES:
        if profile.scope is Scope.PARCEL:
            assert profile.total(first + second) == profile.total(first) + profile.total(second)


@given(conversations)
def test_without_an_anchor_the_context_is_the_estimate(conversation: list[Message]) -> None:
    bare = [replace(message, usage=None) for message in conversation]
    assert find_anchor(bare) is None
    assert [context(bare, profile) for profile in PROFILES] == [profile.total(bare) for profile in PROFILES]


@given(gate=st.sampled_from(GATES), tokens=st.integers(0, 10**6), more=st.integers(0, 10**6), window=st.integers(1, 10**6))
def test_a_gate_that_fires_stays_open(gate: Gate, tokens: int, more: int, window: int) -> None:
    assert gate.read(tokens + more, window).fires or not gate.read(tokens, window).fires


@given(window=st.integers(1, 10**7))
def test_shares_of_a_window_are_exact(window: int) -> None:
    assert Watermark().threshold(window) == Watermark(Fraction(4, 5)).threshold(window)
    assert QwenGate().threshold(window) == min(ceil(window * Fraction(17, 20)), window - 33_000 if window > 33_000 else window)
