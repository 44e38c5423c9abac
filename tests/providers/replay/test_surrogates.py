"""Halves of surrogate pairs."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.model import (
    Inline,
    Media,
    MediaKind,
    Message,
    Origin,
    Role,
    Shell,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unsupported,
    Uri,
)
from sessionkit.providers.base import Tool
from sessionkit.providers.replay.surrogates import clean_messages, clean_text, clean_tools, cleaned
from tests.providers.replay.told import noted

if TYPE_CHECKING:
    from sessionkit.core.model import Json

LONE = re.compile("[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]")


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("", ""),
        ("plain", "plain"),
        ("看图 😀", "看图 😀"),
        ("a\ud83d", "a"),
        ("\ude00a", "a"),
        ("a\ud83db", "ab"),
        ("\ude00\ud83d", ""),
        ("\ud83d\ude00", "😀"),
        ("\ud83d\ud83d\ude00\ude00", "😀"),
    ],
)
def test_text(text: str, clean: str) -> None:
    assert clean_text(text) == clean


@given(st.text(st.sampled_from("a😀\ud83d\ude00\udfff\ud800")))
def test_what_is_left_is_what_stood_in_pairs(text: str) -> None:
    expected = LONE.sub("", text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass"))
    assert clean_text(text) == expected.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    assert clean_text(clean_text(text)) == clean_text(text)


HALF = "\ud83d"
ARGUMENTS: Json = {f"b{HALF}": [f"1{HALF}", {"c": f"{HALF}2"}], "a": 3.0, "n": None}
CLEAN: Json = {"b": ["1", {"c": "2"}], "a": 3.0, "n": None}
CARRIED: dict[str, Json] = {"x": f"1{HALF}"}


@pytest.mark.parametrize(
    ("part", "clean"),
    [
        (Text(f"a{HALF}", carried=CARRIED), Text("a", carried={"x": "1"})),
        (Thinking(f"a{HALF}", f"s{HALF}"), Thinking("a", "s")),
        (Shell(f"a{HALF}", f"b{HALF}"), Shell("a", "b")),
        (Unsupported(f"t{HALF}", carried=CARRIED), Unsupported("t", carried={"x": "1"})),
        (Media(MediaKind.IMAGE, Inline(HALF), f"i{HALF}", name=f"n{HALF}"), Media(MediaKind.IMAGE, Inline(HALF), "i", name="n")),
        (Media(MediaKind.IMAGE, Uri(f"http://h/{HALF}")), Media(MediaKind.IMAGE, Uri("http://h/"))),
        (ToolCall(f"i{HALF}", f"n{HALF}", ARGUMENTS), ToolCall("i", "n", CLEAN)),
        (ToolResult(f"i{HALF}", f"n{HALF}", (Text(HALF),)), ToolResult("i", "n", (Text(""),))),
        (Message(Role.USER, (Text(f"a{HALF}"),), carried=CARRIED), Message(Role.USER, (Text("a"),), carried={"x": "1"})),
        (Tool(f"n{HALF}", f"d{HALF}", ARGUMENTS), Tool("n", "d", CLEAN)),
        (Text("a", Origin(f"a{HALF}")), Text("a", Origin(f"a{HALF}"))),
    ],
)
def test_every_string_but_base64(part: Any, clean: Any) -> None:  # noqa: ANN401
    assert cleaned(part) == clean


def test_keys_keep_their_order() -> None:
    call = cleaned(ToolCall("i", "n", ARGUMENTS))
    assert list(call.arguments if isinstance(call.arguments, dict) else ()) == ["b", "a", "n"]


@pytest.mark.parametrize(
    ("raw", "kept"),
    [('{"a": "1"}', True), (json.dumps({"a": "😀"}), True), (json.dumps({"a": HALF}), False)],
    ids=["no escape", "a pair as escapes", "a half as an escape"],
)
def test_own_text_of_arguments(raw: str, kept: bool) -> None:
    call = ToolCall("i", "n", json.loads(raw), raw)
    assert cleaned(call).raw == (raw if kept else None)


def test_free_text_of_a_tool() -> None:
    assert cleaned(ToolCall("i", "n", f"a{HALF}", f"a{HALF}")) == ToolCall("i", "n", "a", "a")


def test_depth() -> None:
    deep: Json = HALF
    for _ in range(3000):
        deep = [deep]
    found = cleaned(ToolCall("i", "n", deep)).arguments
    for _ in range(3000):
        assert isinstance(found, list)
        [found] = found
    assert found == ""


def test_what_was_cleaned_is_told() -> None:
    halved = Message(Role.USER, (Text("a"), Text(f"b{HALF}", Origin(line=2)), Text(f"{HALF}c", Origin(line=3))))
    system = Message(Role.SYSTEM, (), Origin(line=4), carried={"sections": {"preamble": HALF}})
    outcome = clean_messages((Message(Role.USER, (Text("a"),)), halved, system))
    assert [block.text for block in outcome.messages[1].content if isinstance(block, Text)] == ["a", "b", "c"]
    assert noted(outcome) == [f"line {line}: halves of surrogate pairs are no characters: they are left out" for line in (2, 3, 4)]
    tools, notes = clean_tools((Tool("read", None, {}), Tool("write", f"d{HALF}", {})))
    assert tools[1].description == "d"
    assert list(map(str, notes)) == ["halves of surrogate pairs are no characters: they are left out, in the tool write"]
