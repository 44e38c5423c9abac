"""JSON with places: each value knows its bytes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.media.tree import Array, Node, Object, Scalar, Text, decode, parse

JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=10,
)


def rebuilt(node: Node, text: bytes) -> object:
    """What the nodes say, so that it can be held against a JSON library."""
    match node:
        case Text():
            return decode(text[node.start : node.stop])
        case Scalar():
            return json.loads(text[node.start : node.stop])
        case Array():
            return [rebuilt(item, text) for item in node.items]
        case Object():
            return {member.name: rebuilt(member.value, text) for member in node.members}


def roots(text: bytes) -> list[object]:
    return [rebuilt(root, text) for root in parse(text).roots]


@given(JSON, st.sampled_from([None, 0, 1, "\t"]), st.booleans())
def test_tree_says_what_a_json_library_says(value: object, indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    forest = parse(text)
    assert forest.error is None
    assert json.dumps(roots(text)) == json.dumps([json.loads(text)])
    (root,) = forest.roots
    assert (root.start, root.stop) == (0, len(text))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (b"", []),
        (b" \t\r\n", []),
        (b"{}", [{}]),
        (b"[ ]", [[]]),
        (b'{ "a" : [ 1 , { } ] }', [{"a": [1, {}]}]),
        (b'{"a":1}{"b":2}', [{"a": 1}, {"b": 2}]),
        (b"1 2", [1, 2]),
        (b'"a""b"', ["a", "b"]),
        (b"\xef\xbb\xbf{}\0\0{}\r\n", [{}, {}]),
        (b"\0\0\0", []),
        (b"[NaN,Infinity,-Infinity]", "anything"),
        (b"[1e5,1.0,-0.0,0,123456789012345678901]", [[1e5, 1.0, -0.0, 0, 123456789012345678901]]),
        (rb'{"\u0061":"\ud83d\ude00"}', [{"a": "\U0001f600"}]),
        (rb'"\ud83d"', ["\ud83d"]),
        (b'"\xff\xc3\xa9"', ["\udcff\xe9"]),
        (b'"tab\there, \x01"', ["tab\there, \x01"]),
        (b'"tab\there\\n"', ["tab\there\n"]),
        (b'"\x7f\xe2\x80\xa8"', ["\x7f\u2028"]),
    ],
)
def test_grammar(text: bytes, values: object) -> None:
    assert parse(text).error is None
    assert values in ("anything", roots(text))


TORN = "the line ends in the middle of a value"


@pytest.mark.parametrize(
    ("text", "whole", "error", "reason"),
    [
        (b"{", 0, 1, TORN),
        (b'{"a"', 0, 1, TORN),
        (b'{"a":', 0, 5, TORN),
        (b'{"a":"b\n', 0, 5, TORN),
        (b'{"a":"b\\', 0, 5, TORN),
        (b'{"a":tru', 0, 5, TORN),
        (b'{"a":1,', 0, 7, TORN),
        (b"{}[1", 1, 4, TORN),
        (b"{} x", 1, 3, TORN),
        (b"{}}", 1, 2, "unexpected '}'"),
        (b"[1,]", 0, 3, "unexpected ']'"),
        (b'{"a":1,}', 0, 7, "unexpected '}'"),
        (b"[1}", 0, 2, "unexpected '}'"),
        (b"{]", 0, 1, "unexpected ']'"),
        (b"{1:2}", 0, 1, "unexpected '1'"),
        (b"[01]", 0, 2, "unexpected '1'"),
        (b"[1 2]", 0, 3, "unexpected '2'"),
        (rb'["\x"]', 0, 1, "unexpected '\"'"),
        (rb'["\u12"]', 0, 1, "unexpected '\"'"),
        (b"['a']", 0, 1, 'unexpected "\'"'),
        (b"\xff{}", 0, 0, r"unexpected '\xff'"),
        (b"{}\0\xef\xbb{}", 1, 3, r"unexpected '\xef'"),
        (b'{"type":"mess{"type":"x"}', 0, 15, "unexpected 't'"),
        (b'["a\nb"]', 0, 1, "unexpected '\"'"),
    ],
)
def test_whole_values_before_an_error_count(text: bytes, whole: int, error: int, reason: str) -> None:
    forest = parse(text)
    assert (len(forest.roots), forest.error, forest.reason) == (whole, error, reason)


@pytest.mark.parametrize("opened", [b"[", b'{"a":'], ids=["arrays", "objects"])
def test_depth_is_unbounded(opened: bytes) -> None:
    closed = b"]" if opened == b"[" else b"}"
    assert parse(opened * 100_000 + b"1" + closed * 100_000).error is None
    assert parse(opened * 100_000).roots == []


def test_repeated_names_are_all_there() -> None:
    (root,) = parse(rb'{"a":1,"\u0061":2}').roots
    assert isinstance(root, Object)
    assert [(member.name, member.start, member.stop) for member in root.members] == [("a", 1, 4), ("a", 7, 15)]
