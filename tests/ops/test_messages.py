from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.base64 import encode
from sessionkit.core.model import Inline, Media, MediaKind, Role, Stored, Text, ToolResult
from sessionkit.core.pixels import Size
from sessionkit.core.slices import Slice
from sessionkit.errors import RefusedError, UsageError
from sessionkit.ops.conversations import KNOWN_FORMATS, Selection
from sessionkit.ops.messages import Opened, Options, View, open_conversation
from sessionkit.ops.sources import Descent, find_sources
from sessionkit.ops.targets import Mirror
from tests.ops.runs import FIXTURES, large_bmp, migrate_one, png, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.ops.conftest import Feed

BRANCHES = FIXTURES / "pi" / "branches" / "session.jsonl"


@contextmanager
def opened(path: Path | str, options: Options | None = None) -> Iterator[Opened]:
    [source] = find_sources([str(path)], Descent.REFUSE_FOLDERS)
    with open_conversation(source, options or Options()) as found:
        yield found


def media_in(found: Opened) -> list[Media]:
    blocks = [block for message in found.conversation.messages for block in message.content]
    inner = [part for block in blocks for part in (block.content if isinstance(block, ToolResult) else [block])]
    return [part for part in inner if isinstance(part, Media)]


def views(path: Path | str, options: Options | None = None) -> list[View]:
    with opened(path, options) as found:
        return [found.viewer.view(medium) for medium in media_in(found)]


def chat(folder: Path, *blocks: object) -> Path:
    """One message, as plain messages have it."""
    return write(folder / "session.jsonl", json.dumps({"role": "user", "content": list(blocks)}).encode() + b"\n")


def image(data: bytes, media_type: str = "image/png") -> object:
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": encode(data).decode()}}


def test_inline_in_the_file_and_spilled_media_look_alike(tmp_path: Path) -> None:
    inline = chat(tmp_path / "home", image(png(0)), image(large_bmp(), "image/bmp"))
    expected = [
        View("image/png", Size(1, 40), len(png(0)), sha256(png(0)).hexdigest()),
        View("image/bmp", Size(1333, 1301), len(large_bmp()), sha256(large_bmp()).hexdigest()),
    ]
    with opened(inline) as found:
        assert [type(medium.source) for medium in media_in(found)] == [Inline, Slice]
    assert views(inline) == expected

    migrate_one(inline, Mirror(tmp_path / "out"))
    spilled = tmp_path / "out" / "session.jsonl"
    with opened(spilled) as found:
        assert [type(medium.source) for medium in media_in(found)] == [Stored, Stored]
    assert views(spilled) == expected
    shutil.move(tmp_path / "out" / "images", tmp_path / "elsewhere")
    assert views(spilled, Options(store=tmp_path / "elsewhere")) == expected


DECLARED = [
    ("the bytes are believed, not the name", image(png(28), "image/jpeg"), "image/png", ""),
    ("the name where bytes tell nothing", image(b"no picture", "image/x-odd"), "image/x-odd", ""),
    ("not base64", {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "***"}}, "image/png", "not base64"),
    ("no data", {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ""}}, "image/png", "empty"),
    ("with others", {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}, None, ""),
]


@pytest.mark.parametrize(("block", "media_type", "fault"), [case[1:] for case in DECLARED], ids=[case[0] for case in DECLARED])
def test_types_and_faults(block: object, media_type: str | None, fault: str, tmp_path: Path) -> None:
    [view] = views(chat(tmp_path, block))
    assert (view.media_type, view.fault) == (media_type, fault)
    assert (view.sha256 is None) is (fault != "" or media_type is None)


@pytest.mark.parametrize(("damage", "fault"), [(None, "asset missing"), (b"torn", "asset corrupt")])
def test_assets_that_cannot_be_shown(damage: bytes | None, fault: str, tmp_path: Path) -> None:
    migrate_one(chat(tmp_path / "home", image(png(28))), Mirror(tmp_path / "out"))
    [asset] = (tmp_path / "out/images").iterdir()
    asset.unlink()
    if damage is not None:
        asset.write_bytes(damage)
    assert views(tmp_path / "out" / "session.jsonl") == [View("image/png", Size(29, 40), fault=fault)]


def test_standard_input_can_be_looked_at(standard_input: Feed, tmp_path: Path) -> None:
    session = chat(tmp_path, image(large_bmp(), "image/bmp"))
    with standard_input(session.read_bytes()):
        [view] = views("-")
    assert view.size == Size(1333, 1301)


def test_another_branch() -> None:
    def texts(leaf: str | None) -> list[str]:
        with opened(BRANCHES, Options(Selection(leaf=leaf))) as found:
            return [block.text for message in found.conversation.messages for block in message.content if isinstance(block, Text)]

    with opened(BRANCHES) as found:
        first = next(message for message in found.conversation.messages if message.role is Role.USER)
    assert texts(first.origin.entry) == texts(None)[: len(texts(first.origin.entry))]
    assert len(texts(first.origin.entry)) < len(texts(None))
    with pytest.raises(UsageError, match="no entry has the id 'nobody'"):
        texts("nobody")


def test_a_document_of_many_lines_is_recognised() -> None:
    with opened(FIXTURES / "gemini-cli" / "legacy" / "session.json") as found:
        assert found.conversation.format == "gemini-cli"
        assert found.conversation.messages


def test_what_no_format_recognises(tmp_path: Path) -> None:
    strange = write(tmp_path / "a.jsonl", b'{"what":"ever"}\n')
    with pytest.raises(RefusedError) as refused, opened(strange):
        pass
    assert all(name in refused.value.why for name in KNOWN_FORMATS)


def test_a_format_that_is_named_is_taken(tmp_path: Path) -> None:
    entry = {"type": "message", "id": "1", "parentId": None, "message": {"role": "user", "content": "hi"}}
    beheaded = write(tmp_path / "a.jsonl", json.dumps(entry).encode())
    with opened(beheaded, Options(Selection("pi"))) as found:
        assert [message.content for message in found.conversation.messages] == [
            (Text("hi", found.conversation.messages[0].content[0].origin),)
        ]
        assert found.conversation.format == "pi"


def test_of_two_generations_the_one_that_recognises_it() -> None:
    spilled = FIXTURES / "native" / "spilled" / "session.jsonl"
    with opened(spilled) as recognised, opened(spilled, Options(Selection("native"))) as named:
        assert named.conversation == recognised.conversation


def test_unknown_format() -> None:
    with pytest.raises(UsageError, match="unknown format: word") as refused:
        Selection("word")
    assert refused.value.hint == f"one of {', '.join(KNOWN_FORMATS)}"


def test_documents_are_no_images(tmp_path: Path) -> None:
    pdf = b"%PDF-1.7\n%%EOF\n"
    source = {"type": "base64", "media_type": "application/pdf", "data": encode(pdf).decode()}
    session = chat(tmp_path, {"type": "document", "source": source})
    with opened(session) as found:
        [medium] = media_in(found)
        assert medium.kind is MediaKind.DOCUMENT
        assert found.viewer.view(medium) == View("application/pdf", None, len(pdf), sha256(pdf).hexdigest())
