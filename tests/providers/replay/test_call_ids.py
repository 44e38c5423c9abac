"""Ids of calls, as interfaces take them."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.model import ToolCall, ToolResult
from sessionkit.providers.base import IdRule
from sessionkit.providers.replay.call_ids import fit_ids
from tests.providers.prompts import assistant, call, result, tool

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.core.model import Message

ANY, CHAT, RESPONSES = IdRule(), IdRule(40), IdRule(item="fc_")
LONG = f"call_{'x' * 36}|fc_{'y' * 48}"


def turns(ids: Sequence[str]) -> Iterator[Message]:
    for id_ in ids:
        yield assistant(call(id_))
        yield tool(result(id_))


def fitted(ids: Sequence[str], rule: IdRule) -> list[str]:
    """The new ids of calls, each of which has its result behind it."""
    messages = fit_ids(tuple(turns(ids)), rule).messages
    called = [block.id for message in messages for block in message.content if isinstance(block, ToolCall)]
    answered = [block.call_id for message in messages for block in message.content if isinstance(block, ToolResult)]
    assert called == answered
    return called


def hashed(id_: str) -> str:
    return f"_{sha256(id_.encode()).hexdigest()[:8]}"


@pytest.mark.parametrize(
    ("ids", "rule", "expected"),
    [
        (["toolu_0-9A", "x" * 64], ANY, ["toolu_0-9A", "x" * 64]),
        (["a:1", "b.2/é"], ANY, ["a_1", "b_2__"]),
        (["x" * 65], ANY, ["x" * 55 + hashed("x" * 65)]),
        (["x" * 41], CHAT, ["x" * 31 + hashed("x" * 41)]),
        (["x" * 40 + ":"], CHAT, ["x" * 31 + hashed("x" * 40 + ":")]),
        (["call_1|fc_2"], CHAT, ["call_1_fc_2"]),
        (["call_1|fc_2"], ANY, ["call_1_fc_2"]),
        ([LONG], CHAT, [LONG[:31] + hashed(LONG)]),
        (["call_1|fc_2", "call_3|x"], RESPONSES, ["call_1", "call_3"]),
        ([LONG], RESPONSES, [LONG.partition("|")[0]]),
        (["x" * 65 + "|fc_1"], RESPONSES, ["x" * 55 + hashed("x" * 65 + "|fc_1")]),
        (["a:1", "a_1", "a.1"], ANY, ["a_1_2", "a_1", "a_1_3"]),
        (["a_1", "a:1"], ANY, ["a_1", "a_1_2"]),
        (["c|fc_1", "c|fc_2"], RESPONSES, ["c", "c_2"]),
        (["a", "a", "a_2", "a"], ANY, ["a", "a_3", "a_2", "a_4"]),
        (["x" * 64, "x" * 64], ANY, ["x" * 64, "x" * 62 + "_2"]),
        (["", "a", ""], ANY, ["call_1", "a", "call_3"]),
        (["", "call_1", "|fc_1"], RESPONSES, ["call_1_2", "call_1", "call_3"]),
        (["\ud83d" * 65], ANY, ["_" * 56 + sha256(("\ud83d" * 65).encode("utf-8", "surrogatepass")).hexdigest()[:8]]),
    ],
)
def test_ids(ids: list[str], rule: IdRule, expected: list[str]) -> None:
    assert fitted(ids, rule) == expected


def test_calls_of_one_turn_with_one_id() -> None:
    messages = (assistant(call("a"), call("a")), tool(result("a"), result("a")))
    assert fit_ids(messages, ANY).messages == (assistant(call("a"), call("a_2")), tool(result("a"), result("a_2")))


@given(
    st.lists(st.text("ab:|_", max_size=9) | st.integers(34, 70).map(lambda size: "x" * size), max_size=8),
    st.sampled_from([ANY, CHAT, RESPONSES]),
)
def test_laws(ids: list[str], rule: IdRule) -> None:
    new = fitted(ids, rule)
    assert all(re.fullmatch(f"[A-Za-z0-9_-]{{1,{rule.longest}}}", id_) for id_ in new)
    assert len(set(new)) == len(new)
    assert fitted(new, rule) == new
    own = [id_.partition("|")[0] if rule.item else id_ for id_ in ids]
    for at, (was, now) in enumerate(zip(own, new, strict=True)):
        assert was == now or was in own[:at] or not re.fullmatch(f"[A-Za-z0-9_-]{{1,{rule.longest}}}", was)
