from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.compaction.base import Compat
from sessionkit.compaction.tombstones import Tombstones
from sessionkit.core.assets import AssetName
from sessionkit.core.base64 import encode
from sessionkit.core.model import Inline, Media, MediaKind, Message, Role, Stored, Text, ToolCall, ToolResult, Uri
from sessionkit.core.pictures import Pictures
from sessionkit.core.sniff import sniff
from sessionkit.core.stores.local import LocalStore
from tests.compaction.looks import look
from tests.pictures import picture
from tests.vectors.loader import Vector, vectors

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.model import Json, MediaSource

TOMBSTONES = vectors("tombstone")
PNG = picture("PNG")
PICTURE = Inline(encode(PNG).decode())


def test_no_vector_is_left_out() -> None:
    assert len(TOMBSTONES) == 11


@pytest.mark.parametrize("vector", TOMBSTONES, ids=repr)
def test_vectors(vector: Vector) -> None:
    tombstones = Tombstones(
        look,
        vector.options.get("max_tombstones", 20),
        Compat.UPSTREAM if vector.options.get("compat") else Compat.NO,
    )
    assert tombstones.lines(vector.messages, vector.options["cut"]) == vector.expected["lines"]


def image(source: MediaSource = PICTURE, name: str = "") -> Media:
    return Media(MediaKind.IMAGE, source, "image/png", name=name)


def read(arguments: Json, source: MediaSource = PICTURE) -> list[Message]:
    call = Message(Role.ASSISTANT, (ToolCall("1", "read", arguments),))
    return [call, Message(Role.TOOL, (ToolResult("1", "read", (image(source),)),))]


def lines(*messages: Message, most: int = 20) -> list[str]:
    return Tombstones(look, most).lines(messages, len(messages))


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"file_path": "b", "path": "a"}, "a"),
        ({"path": "", "absolute_path": "c"}, "c"),
        ({"path": "x" * 257, "filename": "d"}, "d"),
        ({"path": "x" * 256}, "x" * 256),
        ({"path": ["a"], "file": "e"}, "e"),
        ({"url": "f"}, None),
        ("not an object", None),
    ],
)
def test_names_by_calls(arguments: Json, name: str | None) -> None:
    [line] = lines(*read(arguments))
    assert line.startswith(f'[Image Tombstone: file="{name}", 37x23,' if name else "[Image Tombstone: 37x23,")


def test_the_nearest_call_of_an_id_names_its_result() -> None:
    other = Inline(encode(picture("GIF")).decode())
    assert [line.split(",")[0] for line in lines(*read({"path": "a"}), *read({"path": "b"}, other))] == [
        '[Image Tombstone: file="a"',
        '[Image Tombstone: file="b"',
    ]


def test_what_a_vendor_alone_resolves() -> None:
    one, two = Uri("https://x/1"), Uri("https://x/2")
    messages = [Message(Role.USER, (image(one), image(one), image(two, "two.png")))]
    assert lines(*messages) == [
        "[Image Tombstone] (Base64 dropped.)",
        '[Image Tombstone: file="two.png"] (Base64 dropped. Use read("two.png") to re-inspect)',
    ]


def test_more_than_enough() -> None:
    messages = [Message(Role.USER, (image(Uri(str(number)), f"{number}"),)) for number in range(5)]
    assert [line.split(" (")[0] for line in lines(*messages, most=2)] == [
        "[3 older media without a tombstone]",
        '[Image Tombstone: file="3"]',
        '[Image Tombstone: file="4"]',
    ]
    assert lines(*messages, most=0) == ["[5 older media without a tombstone]"]


@pytest.mark.parametrize(
    "hidden", ["[", "]", "\x7f", "\x85", "\u061c", "\u200b", "\u2029", "\u202e", "\u2066", "\ufeff", "\udc80", "\n", "\0"]
)
def test_nothing_hides_in_a_name(hidden: str) -> None:
    [line] = lines(Message(Role.USER, (image(name=f"a{hidden}b"),)))
    assert line.startswith(f'[Image Tombstone: file="a\\u{ord(hidden):04x}b"') or hidden == "\n"
    assert line.count("[") == line.count("]") == 1


def test_tags_beyond_the_first_plane_do_not_hide_either() -> None:
    [line] = lines(Message(Role.USER, (image(name="a\U000e0041b"),)))
    assert line.startswith(r'[Image Tombstone: file="a\udb40\udc41b"')


def test_a_picture_in_the_store_tells_its_pixels(tmp_path: Path) -> None:
    asset = AssetName.of(PNG, sniff(PNG))
    with LocalStore(tmp_path / "images") as store:
        store.put(asset, PNG)
        store.flush()
        tombstones = Tombstones(Pictures(store).look)
        spilled, inline = ([Message(Role.USER, (image(source, "a.png"),))] for source in (Stored(asset), PICTURE))
        assert tombstones.lines(spilled, 1) == tombstones.lines(inline, 1)


def test_documents_and_texts() -> None:
    document = Media(MediaKind.DOCUMENT, Inline("JVBERi0xLjQK"))
    [line] = lines(Message(Role.USER, (Text("a"), document)))
    assert line.startswith("[Document Tombstone: sha256=")
