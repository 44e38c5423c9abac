"""Plans of the agents' own code, and of what these strategies say where that code loses something."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sessionkit.compaction import STRATEGIES, Strategy
from sessionkit.compaction.base import Compat, Marker, Nothing, Plan, Settings, Split, Trigger
from sessionkit.core.model import Text, ToolResult
from sessionkit.tokens import PROFILES
from sessionkit.tokens.anchors import context
from tests.vectors.loader import Vector, vectors

NAMES = ("pi", "my-pi", "qwen-split", "ink")
PLANS = vectors(*NAMES)

_SETTINGS: dict[str, Any] = {
    "marker": Marker,
    "compat": lambda value: Compat.UPSTREAM if value else Compat.NO,
    "fraction": lambda value: Fraction(str(value)),
    "trigger": Trigger,
}


def test_no_plan_is_left_out() -> None:
    assert len(PLANS) == 57


def _strategy(vector: Vector) -> Strategy:
    return next(strategy for strategy in STRATEGIES if strategy.name == vector.strategy)


def plan(vector: Vector, **more: int) -> Plan | Nothing:
    options: dict[str, Any] = {name: _SETTINGS.get(name, int)(value) for name, value in vector.options.items() if name != "sweep"}
    outcome = _strategy(vector).plan(vector.messages, Settings(**options | more))
    assert isinstance(outcome, Plan | Nothing)
    return outcome


@pytest.mark.parametrize("vector", PLANS, ids=repr)
def test_plans(vector: Vector) -> None:
    found = _found(vector)
    assert {key: found[key] for key in vector.expected} == vector.expected


def _found(vector: Vector) -> dict[str, Any]:
    sweep = [[keep, _cut(plan(vector, keep_recent_tokens=keep))] for keep in vector.options.get("sweep", ())]
    outcome = plan(vector)
    [profile] = [profile for profile in PROFILES if profile.name == _strategy(vector).profile]
    told = _split(outcome.split) | {
        "sweep": sweep,
        "tokens_before": context(vector.messages, profile),
        "snapped_from": outcome.snapped_from,
    }
    match outcome:
        case Nothing():
            return told | {"result": "nothing", "reason": outcome.reason}
        case Plan():
            return told | {"result": "compact"} | _plan(outcome, vector)


def _cut(outcome: Plan | Nothing) -> int | None:
    return outcome.cut if isinstance(outcome, Plan) else None


def _plan(outcome: Plan, vector: Vector) -> dict[str, Any]:
    head = [message for message in vector.messages[: outcome.cut] if message.role != "system"]
    return {
        "cut": outcome.cut,
        "split_turn": outcome.prefix is not None,
        "turn_start": -1 if outcome.turn_start is None else outcome.turn_start,
        "history": _range(outcome.history),
        "prefix": _range(outcome.prefix),
        "previous_summary": outcome.previous_summary,
        "summary_input": outcome.summary_input,
        "prefix_input": outcome.prefix_input,
        "files": {"read": [*outcome.files.read], "modified": [*outcome.files.modified]},
        "media_stripped": len(outcome.stripped),
        "media_without_trace": len(outcome.traceless),
        "bridge": outcome.bridge,
        "slim_identity": all(one is other for one, other in zip(outcome.summary_input, head, strict=False)),
        "placeholders": [] if isinstance(outcome.summary_input, str) else [*_placeholders(outcome)],
    }


def _range(part: range | None) -> list[int] | None:
    return None if part is None else [part.start, part.stop]


def _placeholders(outcome: Plan) -> list[str]:
    assert not isinstance(outcome.summary_input, str)
    blocks = [block for message in outcome.summary_input for block in message.content]
    parts = [part for block in blocks for part in (block.content if isinstance(block, ToolResult) else (block,))]
    return [part.text for part in parts if isinstance(part, Text) and part.text.startswith("[")]


def _split(split: Split | None) -> dict[str, Any]:
    if split is None:
        return {}
    share = None if split.share is None else round(float(split.share), 6)
    told = {"split": split.split, "branch": split.branch, "dropped_orphan": split.dropped, "pre_slim_fraction": share}
    return told | {"counts": [*split.counts], "total": sum(split.counts)}
