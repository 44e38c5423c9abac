"""What is never searched, and how a place is named."""

from __future__ import annotations

import pytest

from sessionkit.core.media.scopes import Opacity, opacity, walk
from sessionkit.core.media.tree import parse


@pytest.mark.parametrize(
    ("name", "type_", "expected"),
    [
        ("arguments", "", Opacity.ALL),
        ("args", "functionCall", Opacity.ALL),
        ("input", "tool_use", Opacity.ALL),
        ("input", "custom_tool_call", Opacity.ALL),
        ("input", "", Opacity.CLEAR),
        ("input", "message", Opacity.CLEAR),
        ("input_audio", "input_audio", Opacity.ALL),
        ("data", "input_audio", Opacity.STRINGS),
        ("data", "redacted_thinking", Opacity.STRINGS),
        ("data", "image", Opacity.CLEAR),
        *((name, "", Opacity.STRINGS) for name in ("text", "thinking", "content", "summary")),
        *(
            (name, "", Opacity.STRINGS)
            for name in ("signature", "thinkingSignature", "textSignature", "thoughtSignature", "encrypted_content")
        ),
        ("Arguments", "", Opacity.CLEAR),
        ("output", "function_call_output", Opacity.CLEAR),
    ],
)
def test_opacity(name: str, type_: str, expected: Opacity) -> None:
    assert opacity(name, type_) is expected


def pointers(text: bytes) -> list[str]:
    (root,) = parse(text).roots
    return [scope.pointer() for scope in walk(root, text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"1", []),
        (b'{"a":1}', [""]),
        (b'{"a":{"b":[{}]},"c":[]}', ["", "/a", "/a/b", "/a/b/0", "/c"]),
        (b'{"a/b":{"~":{}},"":{}}', ["", "/a~1b", "/a~1b/~0", "/"]),
        (b'{"arguments":{"a":{}},"args":[{}],"content":[{}]}', ["", "/content", "/content/0"]),
        (b'{"type":"tool_use","input":{"a":{}}}', [""]),
        (b'{"input":{},"type":"custom_tool_call"}', [""]),
        (rb'{"\u0061rguments":{},"t\u0079pe":"tool_use","input":{}}', [""]),
        (b'[[{"a":1}],2]', ["", "/0", "/0/0"]),
    ],
)
def test_walk_meets_every_searchable_container_in_order(text: bytes, expected: list[str]) -> None:
    assert pointers(text) == expected


def test_repeated_names_count_below() -> None:
    text = b'{"a":{"x":1,"x":2,"y":[{}]},"b":{}}'
    (root,) = parse(text).roots
    assert [scope.pointer() for scope in walk(root, text) if scope.repeated] == ["/a", "/a/y", "/a/y/0"]


def test_strings_of_an_array_are_as_open_as_its_name() -> None:
    text = b'{"content":["x",["x"]],"urls":["x",["x"]]}'
    (root,) = parse(text).roots
    opacities = {scope.pointer(): scope.strings for scope in walk(root, text)}
    assert [opacities[pointer] for pointer in ("/content", "/content/1")] == [Opacity.STRINGS] * 2
    assert [opacities[pointer] for pointer in ("/urls", "/urls/1")] == [Opacity.CLEAR] * 2
