"""What holds of every plan, whatever the conversation."""

from __future__ import annotations

import subprocess
import sys
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from sessionkit.compaction import STRATEGIES
from sessionkit.compaction.base import Branch, Cleared, Compat, Marker, Nothing, Plan, Settings, Trigger
from sessionkit.compaction.projection import Epoch, Worth, judge, project
from sessionkit.compaction.slimming import strip
from sessionkit.core.model import Role, ToolCall, ToolResult
from sessionkit.tokens import PROFILES
from sessionkit.tokens.base import Scope
from tests.compaction.dialogues import PAYLOAD, dialogues
from tests.tokens.conversations import STORED, with_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionkit.compaction import Strategy
    from sessionkit.compaction.base import Outcome
    from sessionkit.core.model import Message

CUTTING = [strategy for strategy in STRATEGIES if strategy.name != "microcompact"]
KEEPING = [strategy for strategy in CUTTING if strategy.name != "qwen-split"]
ADDITIVE = [profile for profile in PROFILES if profile.scope is Scope.PARCEL]
KEEP = st.integers(0, 2500)
EVERYTHING = st.builds(
    Settings,
    keep_recent_tokens=KEEP,
    marker=st.none() | st.sampled_from(Marker),
    compat=st.sampled_from(Compat),
    fraction=st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100),
    retain_rounds=st.integers(0, 3),
    trigger=st.sampled_from([None, Trigger.AUTO, Trigger.MANUAL]),
)
OURS = EVERYTHING.filter(lambda settings: settings.compat is Compat.NO)

Messages: TypeAlias = "tuple[Message, ...]"


def plans(messages: Messages, settings: Settings, strategies: Iterable[Strategy] = CUTTING) -> list[tuple[Strategy, Plan]]:
    outcomes = ((strategy, strategy.plan(messages, settings)) for strategy in strategies)
    return [(strategy, outcome) for strategy, outcome in outcomes if isinstance(outcome, Plan)]


@given(dialogues, EVERYTHING)
def test_messages_are_never_changed(messages: Messages, settings: Settings) -> None:
    before = deepcopy(messages)
    for strategy in STRATEGIES:
        strategy.plan(messages, settings)
    assert messages == before


@given(dialogues, OURS)
def test_no_result_is_parted_from_its_call(messages: Messages, settings: Settings) -> None:
    for strategy, plan in plans(messages, settings):
        start = plan.history.start if strategy.name == "pi" else 0
        called, lost = set[str](), set[str]()
        for index, message in enumerate(messages[start:], start):
            for block in message.content:
                match block:
                    case ToolCall(id=call):
                        (called.discard if index >= plan.cut else called.add)(call)
                    case ToolResult(call_id=call) if index >= plan.cut and call in called:
                        lost.add(call)
        assert not lost


@given(dialogues, EVERYTHING)
def test_head_and_tail_are_everything(messages: Messages, settings: Settings) -> None:
    for strategy, plan in plans(messages, settings):
        head = [*plan.history, *(plan.prefix or ())]
        assert head == [*range(plan.history.start, plan.cut)]
        before = {message.role for message in messages[: plan.history.start]}
        assert strategy.name == "pi" or before <= {Role.SYSTEM, Role.COMPACTION, Role.META}


@given(dialogues, EVERYTHING)
def test_the_tail_of_pi_is_never_empty(messages: Messages, settings: Settings) -> None:
    for _, plan in plans(messages, settings, [strategy for strategy in KEEPING if strategy.name == "pi"]):
        tail = [message.role for message in messages[plan.cut :] if message.role is not Role.META]
        assert tail[0] in {Role.USER, Role.ASSISTANT}


@given(dialogues, OURS)
def test_the_tail_of_whole_turns_begins_with_the_user(messages: Messages, settings: Settings) -> None:
    for _, plan in plans(messages, settings, [strategy for strategy in KEEPING if strategy.name != "pi"]):
        assert messages[plan.cut].role is Role.USER


@given(dialogues, st.lists(KEEP, min_size=2, max_size=6).map(sorted))
def test_keeping_more_never_moves_the_cut_forward(messages: Messages, keeps: list[int]) -> None:
    for strategy in KEEPING:
        cuts = [_cut(strategy.plan(messages, Settings(keep_recent_tokens=keep))) for keep in keeps]
        assert all(one >= other for one, other in pairwise(cuts))


@given(dialogues, st.integers(1, 98), st.integers(1, 98))
def test_a_larger_share_never_moves_the_cut_back(messages: Messages, one: int, other: int) -> None:
    [splitter] = [strategy for strategy in CUTTING if strategy not in KEEPING]
    low, high = (splitter.plan(messages, Settings(fraction=Fraction(percent, 100))) for percent in sorted((one, other)))
    if _branch(low) is _branch(high) is Branch.TARGET:
        assert _cut(low) <= _cut(high)


@given(dialogues, EVERYTHING)
def test_where_media_lie_changes_nothing(messages: Messages, settings: Settings) -> None:
    spilled = tuple(with_source(messages, STORED))
    for strategy in CUTTING:
        assert _told(strategy, strategy.plan(spilled, settings)) == _told(strategy, strategy.plan(messages, settings))


@given(dialogues, OURS)
def test_no_payload_reaches_the_summary(messages: Messages, settings: Settings) -> None:
    for strategy, plan in plans(messages, settings):
        asked = repr(strategy.requests(plan))
        assert PAYLOAD[:64] not in asked
        asked.encode("utf-8")


@given(dialogues, EVERYTHING, dialogues)
def test_what_comes_later_is_only_appended(messages: Messages, settings: Settings, later: Messages) -> None:
    for strategy, plan in plans(messages, settings):
        epoch = Epoch(strategy, plan, len(messages))
        before, after = (project(known, epoch, "What was done.").messages for known in (messages, messages + later))
        assert after[: len(before)] == before
        assert same(after[len(before) :], later)


@given(dialogues, EVERYTHING)
def test_the_tail_is_kept_object_by_object(messages: Messages, settings: Settings) -> None:
    for strategy, plan in plans(messages, settings):
        kept = [message for index, message in enumerate(messages) if index >= plan.cut and index != plan.dropped]
        tail = project(messages, Epoch(strategy, plan, len(messages)), "What was done.").tail
        assert same(tail, [message for message in kept if message.role is not Role.SYSTEM])


@given(dialogues, EVERYTHING, st.sampled_from(["", "Short.", "long " * 200]))
def test_tokens_add_up(messages: Messages, settings: Settings, summary: str) -> None:
    for strategy, plan in plans(messages, settings):
        projection = project(messages, Epoch(strategy, plan, len(messages)), summary)
        gone = [message for at, message in enumerate(messages) if at < plan.cut or at == plan.dropped]
        gone = [message for message in gone if message.role is not Role.SYSTEM]
        framed = [message for message in projection.front if message.role is not Role.SYSTEM]
        for profile in ADDITIVE:
            before, after = profile.total(messages), profile.total(projection.messages)
            assert after == before - profile.total(gone) + profile.total(framed)
            assert (judge(before, after) is Worth.INFLATED) == (profile.total(framed) > profile.total(gone))


@given(dialogues, OURS)
def test_taking_media_out_never_costs_tokens(messages: Messages, settings: Settings) -> None:
    [clearing] = [strategy for strategy in STRATEGIES if strategy not in CUTTING]
    cleared = clearing.plan(messages, settings)
    assert isinstance(cleared, Cleared)
    stripped = [strip(messages, marker, settings.compat) for marker in Marker]
    for profile in PROFILES:
        for lighter in (cleared.messages, *stripped):
            assert profile.total(lighter) <= profile.total(messages)


def test_another_process_plans_the_same() -> None:
    told = [subprocess.check_output([sys.executable, "-c", _PLANS], env={"PYTHONHASHSEED": seed}, cwd=ROOT) for seed in ("1", "2")]
    assert told[0] == told[1] != b""


ROOT = Path(__file__).parents[2]
_PLANS = """
from sessionkit.compaction import STRATEGIES
from sessionkit.compaction.base import Settings
from tests.vectors.loader import vectors
for vector in vectors("pi", "microcompact"):
    for strategy in STRATEGIES:
        print(strategy.plan(vector.messages, Settings(keep_recent_tokens=50, keep_recent=1)))
"""


def same(one: Sequence[object], other: Sequence[object]) -> bool:
    return [*map(id, one)] == [*map(id, other)]


def _cut(outcome: Outcome) -> int:
    return outcome.cut if isinstance(outcome, Plan) else -1


def _branch(outcome: Outcome) -> Branch | None:
    return outcome.split.branch if isinstance(outcome, Plan | Nothing) and outcome.split else None


def _told(strategy: Strategy, outcome: Outcome) -> object:
    """All of an outcome but the media themselves."""
    match outcome:
        case Plan():
            return replace(outcome, stripped=()), strategy.requests(outcome), len(outcome.stripped)
        case _:
            return outcome
