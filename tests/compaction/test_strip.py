from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.compaction.base import Compat, Marker
from sessionkit.compaction.payloads import clear_json, clear_text
from sessionkit.compaction.slimming import strip
from sessionkit.core.model import Inline, Media, MediaKind, Message, Role, Shell, Text, Thinking, ToolCall
from tests.vectors.loader import Vector, message_of, vectors

if TYPE_CHECKING:
    from sessionkit.core.model import Json

STRIPS = vectors("strip")
URL = f"data:image/png;base64,{'A' * 64}"


def test_no_vector_is_left_out() -> None:
    assert len(STRIPS) == 10


@pytest.mark.parametrize("vector", STRIPS, ids=repr)
def test_vectors(vector: Vector) -> None:
    compat = Compat.UPSTREAM if vector.options.get("compat") else Compat.NO
    stripped = strip(vector.messages, Marker(vector.options.get("style", "none")), compat)
    assert (stripped is vector.messages) == vector.expected["identical"]
    assert [*stripped] == [*map(message_of, vector.expected.get("messages", ()))] or stripped is vector.messages


def run(magic: str, length: int = 256) -> str:
    return magic + "A" * (length - len(magic))


@pytest.mark.parametrize(
    ("text", "cleared"),
    [
        ("DATA:Image/GIF;x=1;BASE64," + "B" * 64 + "== end", "[image: image/gif] end"),
        (r"data:image\/webp;base64," + r"B\/" * 64 + '"', '[image: image/webp]"'),
        ("data:image/png;base64," + "B-_+/" * 20, "[image: image/png]"),
        ("data:image/png\u202e;base64," + "B" * 64, "[document: application/octet-stream]"),
        ("data:application/pdf;name=a.pdf;base64," + "B" * 64, "[document: application/pdf]"),
        ("one " + URL + " two " + URL, "one [image: image/png] two [image: image/png]"),
        ("data:" + URL, "data:[image: image/png]"),
        ("data: it is image/png;base64," + "B" * 64, "data: it is image/png;base64,[document: application/octet-stream]"),
        (";base64," + "B" * 63, ";base64," + "B" * 63),
        ("data:,plain", "data:,plain"),
        (run("iVBORw0KGgo"), "[image: image/png]"),
        (run("/9j/"), "[image: image/jpeg]"),
        ('"' + run(r"\/9j\/", 258) + '"', '"[image: image/jpeg]"'),
        (run("R0lGOD") + "==", "[image: image/gif]"),
        (run("UklGR"), "[image: image/webp]"),
        (run("JVBERi0"), "[document: application/pdf]"),
        (r"\n" + run("iVBORw0KGgo"), r"\n[image: image/png]"),
        (run("iVBORw0KGgo", 255), run("iVBORw0KGgo", 255)),
        ("A" + run("iVBORw0KGgo"), "A" + run("iVBORw0KGgo")),
        (run("ivborw0kggo"), run("ivborw0kggo")),
        ("A" * 1000, "A" * 1000),
    ],
)
def test_base64_in_texts(text: str, cleared: str) -> None:
    assert clear_text(text) == cleared
    assert clear_text(cleared) == cleared


@pytest.mark.parametrize(
    ("value", "cleared"),
    [
        (URL, "[image: image/png]"),
        ({"a": [1, {"b": URL}], URL: None}, {"a": [1, {"b": "[image: image/png]"}], "[image: image/png]": None}),
    ],
)
def test_base64_in_arguments(value: Json, cleared: Json) -> None:
    assert clear_json(value) == cleared


def test_arguments_without_base64_are_the_same_object() -> None:
    value: Json = {"a": [1, {"b": "c"}]}
    assert clear_json(value) is value


def test_arguments_of_any_depth() -> None:
    value: Json = URL
    for _ in range(50_000):
        value = [value]
    cleared = clear_json(value)
    while isinstance(cleared, list):
        [cleared] = cleared
    assert cleared == "[image: image/png]"


def test_every_text_is_looked_at() -> None:
    said = Message(Role.ASSISTANT, (Thinking(URL), Text("same"), ToolCall("1", "write", {"content": URL}, raw='{"content": "…"}')))
    ran = Message(Role.USER, (Shell(f"echo {URL}", URL),))
    same = Message(Role.USER, (Text("same"),))
    stripped = strip([said, ran, same], Marker.MIME)
    assert [message.content for message in stripped] == [
        (
            Thinking("[image: image/png]"),
            Text("same"),
            ToolCall("1", "write", {"content": "[image: image/png]"}),
        ),
        (Shell("echo [image: image/png]", "[image: image/png]"),),
        (Text("same"),),
    ]
    assert stripped[2] is same


def test_places_stay() -> None:
    image = Media(MediaKind.IMAGE, Inline("AAAA"), "image/png")
    [message] = strip([Message(Role.USER, (Text("a"), image, Text("b"), image))], Marker.SHORT)
    assert message.content == (Text("a"), Text("[image]"), Text("b"), Text("[image]"))
