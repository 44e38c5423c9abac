"""Bodies as they are sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.ecmajson import dumps
from sessionkit.core.model import NOWHERE, Inline, Media, MediaKind, Origin
from sessionkit.providers.body import Layout, Part, Payload, Placed, walk, write
from tests.providers.prompts import encode, png

if TYPE_CHECKING:
    from collections.abc import Callable

    from sessionkit.core.model import Json
    from sessionkit.providers.body import Tree

HERE, THERE = Origin("s.jsonl", 1), Origin("s.jsonl", 2)

SPELLED: list[tuple[Tree, str]] = [
    ({"text": "é图\u2028", "n": [1.0, 2**64, True, None, {}]}, '{"text":"é图\u2028","n":[1,18446744073709551616,true,null,{}]}'),
    ({"b": 1, "a": 2, "10": 3}, '{"b":1,"a":2,"10":3}'),
    ("\ud83d", '"\\ud83d"'),
    (Placed({"a": Placed([Placed("x", HERE)], HERE)}, HERE), '{"a":["x"]}'),
    ([Payload(png("QUJD")), Payload(png("REVG"), "data:image/png;base64,")], '["QUJD","data:image/png;base64,REVG"]'),
    (Payload(png(""), 'a "name"\n'), '"a \\"name\\"\\n"'),
]

whole = st.none() | st.booleans() | st.integers() | st.text(max_size=9)


def trees(leaves: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    return st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3))


def joined(tree: Tree, layout: Layout = Layout.COMPACT) -> str:
    return b"".join(write(tree, encode, layout)).decode()


@pytest.mark.parametrize(("tree", "text"), SPELLED)
def test_a_body_is_compact_json(tree: Tree, text: str) -> None:
    assert joined(tree) == text


@given(trees(whole | st.floats()))
def test_a_body_is_written_as_arguments_are(value: Json) -> None:
    assert joined(value) == dumps(value)


@given(trees(whole))
def test_the_indented_form_is_the_usual_one(value: Json) -> None:
    assert joined(value, Layout.INDENTED) == json.dumps(value, indent=2, ensure_ascii=False)


def test_media_are_encoded_one_at_a_time_and_only_when_they_are_due() -> None:
    asked: list[Media] = []

    def note(media: Media) -> bytes:
        asked.append(media)
        return encode(media)

    chunks = write([Payload(png("QUJD")), Payload(png("REVG"))], note)
    assert not asked
    assert [(next(chunks), len(asked)) for _ in range(5)] == [(b'["', 0), (b"QUJD", 1), (b'","', 1), (b"REVG", 2), (b'"]', 2)]


def test_a_long_text_body_comes_in_chunks() -> None:
    tree: Tree = ["word"] * 100_000
    assert max(map(len, write(tree, encode))) < 100_000


@pytest.mark.parametrize("nest", [lambda inner: [inner], lambda inner: {"a": inner}, lambda inner: Placed(inner, HERE)])
def test_depth_is_no_limit(nest: Callable[[Tree], Tree]) -> None:
    tree: Tree = "deep"
    for _ in range(5000):
        tree = nest(tree)
    assert '"deep"' in joined(tree)
    assert list(walk(tree))[-1].value == "deep"


def test_parts_know_their_way_and_the_nearest_place() -> None:
    payload = Payload(Media(MediaKind.IMAGE, Inline("QUJD")))
    image: Tree = {"data": payload}
    content: Tree = [Placed(image, THERE)]
    message: Tree = {"content": content, "role": "user"}
    tree: Tree = {"messages": [Placed(message, HERE)], "n": 1}
    assert list(walk(tree)) == [
        Part((), tree, NOWHERE),
        Part(("messages",), [Placed(message, HERE)], NOWHERE),
        Part(("messages", 0), message, HERE),
        Part(("messages", 0, "content"), content, HERE),
        Part(("messages", 0, "content", 0), image, THERE),
        Part(("messages", 0, "content", 0, "data"), payload, THERE),
        Part(("messages", 0, "role"), "user", HERE),
        Part(("n",), 1, NOWHERE),
    ]
