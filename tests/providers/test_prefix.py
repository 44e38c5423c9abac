"""Where two requests part, what stands before and behind, and what it costs."""

from __future__ import annotations

import base64
import hashlib
import json
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.errors import UsageError
from sessionkit.providers.differences import path_of
from sessionkit.providers.prefix import Comparison, Load, Outcome, compare
from sessionkit.providers.units import read_body, units_of

if TYPE_CHECKING:
    from sessionkit.core.model import Json

WIRES = Path(__file__).parents[2] / "fixtures" / "wires"
NAMES = sorted(path.stem for path in WIRES.glob("*.json"))
LISTS = ("messages", "input", "contents")

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
IMAGE: Any = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}
MARK: Any = {"cache_control": {"type": "ephemeral"}}


def wire(name: str) -> dict[str, Any]:
    body: dict[str, Any] = json.loads((WIRES / f"{name}.json").read_text())
    return body


def compared(earlier: Json, later: Json) -> Comparison:
    return compare(read_body(earlier), read_body(later))


def paths(found: Comparison) -> tuple[str, str]:
    """The ways to the first difference; empty where a body has ended."""
    earlier, later = (path_of(side.spot.steps) if side.spot else "" for side in (found.earlier, found.later))
    return earlier, later


def text(words: str, **members: Json) -> dict[str, Json]:
    return {"type": "text", "text": words, **members}


def said(*blocks: Json, role: str = "user") -> dict[str, Json]:
    return {"role": role, "content": list(blocks)}


def test_a_resumed_session_of_gemini_cli_pays_again_for_all_but_its_first_turn() -> None:
    found = compared(wire("gemini-cli-session-gemini"), wire("gemini-cli-resumed-gemini"))
    assert found.outcome is Outcome.BROKEN
    assert paths(found) == ("contents[1].parts[0].thoughtSignature",) * 2
    assert found.earlier.spot is not None
    assert found.later.spot is not None
    assert (found.earlier.spot.value, found.later.spot.value) == ('"skip_thought_signature_validator"', "(nothing)")
    assert found.equal == 5  # the blocks of the first turn
    assert (found.later.before.media, found.later.behind.media) == (1, 13)
    assert found.again == found.earlier.behind.tokens
    assert 1.5 < found.cost_ratio < 2
    assert found.uploaded == len(json.dumps(wire("gemini-cli-resumed-gemini"), ensure_ascii=False, separators=(",", ":")).encode())


@pytest.mark.parametrize(
    ("earlier", "later", "where"),
    [
        ("qwen-code-before-compression-openai-chat", "qwen-code-compacted-openai-chat", "messages[3].content[0].text"),
        ("pi-openai-chat", "pi-compacted-openai-chat", "messages[1].content[0].text"),
        ("claude-code-session-anthropic", "claude-code-compacted-anthropic", "messages[0].content[1].text"),
        ("codex-session-openai-responses", "codex-compacted-openai-responses", "input[1].id"),
    ],
)
def test_a_compaction_breaks_the_prefix(earlier: str, later: str, where: str) -> None:
    found = compared(wire(earlier), wire(later))
    assert found.outcome is Outcome.BROKEN
    assert paths(found) == (where, where)


@pytest.mark.parametrize("name", NAMES)
def test_every_turn_that_an_agent_sent_extends_the_one_before(name: str) -> None:
    body = wire(name)
    (kind,) = LISTS & body.keys()
    for turns in range(len(body[kind]) + 1):
        earlier = body | {kind: body[kind][:turns]}
        found = compared(earlier, body)
        assert found.equal == found.earlier.units
        assert found.outcome is (Outcome.EXTENDED if turns < len(body[kind]) else Outcome.EQUAL)
        assert found.earlier.behind == Load(0, 0)
        assert (found.again, found.cost_ratio) == (0, 1.0)
        assert compared(body, earlier).outcome is (Outcome.SHORTENED if turns < len(body[kind]) else Outcome.EQUAL)


@given(st.sampled_from(NAMES), st.data())
def test_a_changed_text_breaks_it_there(name: str, draw: st.DataObject) -> None:
    body = wire(name)
    units = list(units_of(read_body(body)))
    at = draw.draw(st.integers(0, len(units) - 1))
    steps = units[at].pieces[-1].steps
    changed = deepcopy(body)
    holder: Any = changed
    for step in steps[:-1]:
        holder = holder[step]
    holder[steps[-1]] = "something else"
    found = compared(body, changed)
    assert found.outcome is Outcome.BROKEN
    assert found.equal == at
    assert found.later.before == found.earlier.before


@pytest.mark.parametrize("name", NAMES)
def test_tokens_and_media_are_those_of_the_whole_wherever_it_is_parted(name: str) -> None:
    body = wire(name)
    whole = compared(body, body).later.before
    (kind,) = LISTS & body.keys()
    for turns in range(0, len(body[kind]), 3):
        side = compared(body | {kind: body[kind][:turns]}, body).later
        assert side.before.media + side.behind.media == whole.media
        assert 0 <= side.before.tokens + side.behind.tokens - whole.tokens <= 1  # both are rounded up
    written = json.dumps(body)
    assert whole.media == written.count("base64,") + written.count('"source": {') + written.count('"inlineData"')
    assert 1200 * whole.media < whole.tokens < 1200 * whole.media + 800


A: Any = text("a")
B: Any = text("b")
CALL: Any = {"type": "tool_use", "id": "t", "name": "read", "input": {"a": 1, "b": 2}}
TURNED_CALL: Any = {"name": "read", "id": "t", "type": "tool_use", "input": {"a": 1, "b": 2}}
TURNED_INPUT: Any = {"type": "tool_use", "id": "t", "name": "read", "input": {"b": 2, "a": 1}}
RESULT: Any = {"type": "tool_result", "tool_use_id": "t", "content": [A, IMAGE]}
TOOL: Any = {"name": "read", "description": "d", "input_schema": {"type": "object", "properties": {}}}
CHAT_CALL: Any = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        pytest.param({"messages": [said(A)]}, {"messages": [said(A | MARK)]}, id="a mark on a block"),
        pytest.param({"messages": [said(RESULT)]}, {"messages": [said(RESULT | {"content": [A, IMAGE | MARK]})]}, id="a mark in a result"),
        pytest.param({"messages": [said(A)], "tools": [TOOL]}, {"messages": [said(A)], "tools": [TOOL | MARK]}, id="a mark on a tool"),
        pytest.param({"messages": [said(A)], "system": "s"}, {"messages": [said(A)], "system": [text("s", **MARK)]}, id="system"),
        pytest.param({"messages": [{"role": "user", "content": "a"}]}, {"messages": [said(A)]}, id="a bare string"),
        pytest.param({"input": "a"}, {"input": ["a"]}, id="a bare input"),
        pytest.param(
            {"input": [{"role": "user", "content": "a"}]},
            {"input": [{"role": "user", "content": [{"type": "input_text", "text": "a"}]}]},
            id="a bare string in an item",
        ),
        pytest.param({"messages": [said(CALL)]}, {"messages": [said(TURNED_CALL)]}, id="names of the vendor in another order"),
        pytest.param({"messages": [said(A)]}, {"messages": [said(A)], "stream": True, "max_tokens": 9, "metadata": {}}, id="settings"),
        pytest.param({"messages": [said(A)]}, {"messages": [said(A)], "model": "m"}, id="a model that only one names"),
        pytest.param({"input": [said(A)], "prompt_cache_key": "a"}, {"input": [said(A)], "prompt_cache_key": "b"}, id="the cache's key"),
        pytest.param({"messages": [said(CALL | {"input": 1})]}, {"messages": [said(CALL | {"input": 1.0})]}, id="a number"),
    ],
)
def test_what_does_not_count(earlier: Json, later: Json) -> None:
    assert compared(earlier, later).outcome is Outcome.EQUAL


@pytest.mark.parametrize(
    ("earlier", "later", "where", "equal"),
    [
        pytest.param({"messages": [said(A)]}, {"messages": [said(A, role="assistant")]}, ("messages[0].role",) * 2, 0, id="role"),
        pytest.param(
            {"messages": [said(A, A)]}, {"messages": [said(A), said(A)]}, ("messages[0].content[1].text", "messages[1]"), 1, id="cut"
        ),
        pytest.param({"messages": [said(A)]}, {"messages": [said(A, B)]}, ("", "messages[0].content[1].text"), 1, id="one block more"),
        pytest.param({"messages": [said(A), said(B)]}, {"messages": [said(A)]}, ("messages[1]", ""), 1, id="one message less"),
        pytest.param({"messages": [said()]}, {"messages": [said(A)]}, ("messages[0]",) * 2, 0, id="no block"),
        pytest.param(
            {"messages": [said(CALL)]}, {"messages": [said(TURNED_INPUT)]}, ("messages[0].content[0].input",) * 2, 0, id="arguments turned"
        ),
        pytest.param(
            {"messages": [said(CALL | {"input": True})]},
            {"messages": [said(CALL | {"input": 1})]},
            ("messages[0].content[0].input",) * 2,
            0,
            id="true is not one",
        ),
        pytest.param(
            {"messages": [said(A)], "tools": [TOOL]}, {"messages": [said(A)]}, ("tools[0]", "messages[0]"), 0, id="tools come first"
        ),
        pytest.param(
            {"messages": [said(A)], "system": "s", "tools": [TOOL]},
            {"tools": [TOOL], "system": "t", "messages": [said(A)]},
            ("system",) * 2,
            1,
            id="then the system prompt",
        ),
        pytest.param(
            {"contents": [], "systemInstruction": {"parts": [{"text": "s"}]}, "tools": [{"functionDeclarations": [{"name": "f"}]}]},
            {"contents": [], "systemInstruction": {"parts": [{"text": "s"}]}, "tools": [{"functionDeclarations": [{"name": "g"}]}]},
            ("tools[0].functionDeclarations[0].name",) * 2,
            1,
            id="with Gemini the system prompt comes first",
        ),
        pytest.param(
            {"input": [said(A)], "instructions": "s"},
            {"input": [said(A), said(B)], "instructions": "s"},
            ("instructions", "input[1]"),
            1,
            id="instructions",
        ),
        pytest.param(
            {"messages": [{"role": "assistant", "content": None, "tool_calls": [CHAT_CALL, CHAT_CALL]}]},
            {"messages": [{"role": "assistant", "content": None, "tool_calls": [CHAT_CALL, CHAT_CALL | {"id": "d"}]}]},
            ("messages[0].tool_calls[1].id",) * 2,
            1,
            id="a call is a unit",
        ),
        pytest.param({"model": "m", "messages": [said(A)]}, {"model": "n", "messages": [said(A)]}, ("model",) * 2, 0, id="model"),
    ],
)
def test_where_it_breaks(earlier: Json, later: Json, where: tuple[str, str], equal: int) -> None:
    found = compared(earlier, later)
    assert (paths(found), found.equal) == (where, equal)


def test_an_image_is_described_and_never_shown() -> None:
    other = {**IMAGE, "source": {**IMAGE["source"], "data": PIXEL.replace("AAAADUl", "AAAADUm")}}
    found = compared({"messages": [said(IMAGE)]}, {"messages": [said(other)]})
    assert paths(found) == ("messages[0].content[0].source",) * 2
    assert found.earlier.spot is not None
    assert found.later.spot is not None
    data = base64.b64decode(PIXEL)
    assert found.earlier.spot.value == f"image/png, {len(data)} bytes, sha256:{hashlib.sha256(data).hexdigest()[:12]}"
    assert found.later.spot.value.startswith(f"image/png, {len(data)} bytes, sha256:")
    assert found.later.spot.value != found.earlier.spot.value


@pytest.mark.parametrize(
    ("earlier", "later", "again", "ratio"),
    [
        ([], [], 0, 1.0),
        (["x" * 4000], ["x" * 4000, "y" * 4000], 0, 1.0),
        (["x" * 4000], ["y" * 4000], 1000, 10.0),
        (["x" * 4000, "y" * 4000], ["x" * 4000, "z" * 4000], 1000, 5.5),
        (["x" * 4000, "y" * 2000], ["x" * 4000, "z" * 4000], 500, 1100 / 650),
    ],
)
def test_the_price_of_a_break(earlier: list[str], later: list[str], again: int, ratio: float) -> None:
    found = compared({"messages": [said(text(words)) for words in earlier]}, {"messages": [said(text(words)) for words in later]})
    assert found.again == again
    assert found.cost_ratio == pytest.approx(ratio)


def test_bodies_of_two_interfaces_are_not_compared() -> None:
    with pytest.raises(UsageError, match="for two interfaces"):
        compared({"messages": []}, {"contents": []})
    assert compared({"messages": [said(A)]}, {"messages": [said(A)], "system": "s"}).later.units == 2


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["user", "tool_use", "message"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["role", "type", "content", "parts", "text", "source", "tool_calls", "data"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.sampled_from(LISTS), st.lists(JUNK, max_size=4), st.lists(JUNK, max_size=4), JUNK)
def test_junk_is_compared_like_anything_else(kind: str, earlier: list[Json], later: list[Json], other: Json) -> None:
    before: Json = {kind: earlier, "tools": other, "system": other, "systemInstruction": other}
    found = compared(before, {kind: later})
    assert found.equal <= min(found.earlier.units, found.later.units)
    assert compared(before, before).outcome is Outcome.EQUAL


def test_deep_nesting_is_no_error() -> None:
    deep: Json = []
    for _ in range(3_000):
        deep = [deep]
    body: Json = {"messages": [said(CALL | {"input": deep})]}
    other: Json = {"messages": [said(CALL | {"input": [deep]})]}
    assert compared(body, other).outcome is Outcome.BROKEN
