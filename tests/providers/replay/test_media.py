"""Media by their bytes, and what stands for those that cannot be sent."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.model import Inline, Media, MediaKind, Origin, Stored, Text, Uri
from sessionkit.core.pictures import Pictures
from sessionkit.core.pixels import Size
from sessionkit.core.sniff import PNG, sniff
from sessionkit.core.stores import LocalStore
from sessionkit.providers.anthropic import Anthropic
from sessionkit.providers.gemini import Gemini
from sessionkit.providers.openai_chat import OpenAIChat
from sessionkit.providers.replay.choices import Bad, Choices, Missing
from sessionkit.providers.replay.media import MediaRule
from tests.pictures import HEIGHT, WIDTH, animation, heic, picture
from tests.providers.prompts import result, tool, user
from tests.providers.replay.told import noted

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.model import MediaSource
    from sessionkit.providers.base import Provider
    from sessionkit.providers.replay.remarks import Outcome

AT = Origin("s.jsonl", 18, "4a787b67", "/message/content/1")
SIZE = Size(WIDTH, HEIGHT)
IMAGES = {kind: picture(kind) for kind in ("PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF", "AVIF")}
IMAGES |= {"moving": animation("GIF"), "HEIC": heic((WIDTH, HEIGHT)), "moving WEBP": animation("WEBP")}
DOCUMENT = b"%PDF-1.4\n%%EOF\n"
SOUND = b"RIFF\x24\x00\x00\x00WAVEfmt "
GONE = Stored(AssetName("0" * 64, "png"))
PLACEHOLDERS = Choices(missing=Missing.PLACEHOLDER, bad=Bad.PLACEHOLDER)


def inline(data: bytes) -> Inline:
    return Inline(base64.b64encode(data).decode())


def medium(source: MediaSource, declared: str | None = None, kind: MediaKind = MediaKind.IMAGE, size: Size | None = None) -> Media:
    return Media(kind, source, declared, size, origin=AT)


@pytest.fixture
def pictures(tmp_path: Path) -> Pictures:
    return Pictures(LocalStore(tmp_path / "images"))


def settled(media: Media, provider: Provider, choices: Choices, pictures: Pictures) -> Outcome:
    return MediaRule(provider, choices, pictures, lambda *_: False)((user(media),))


def sent(outcome: Outcome) -> Media | Text:
    [message] = outcome.messages
    [block] = message.content
    assert isinstance(block, Media | Text)
    return block


@pytest.mark.parametrize(
    ("declared", "name", "note"),
    [
        ("image/png", "PNG", ""),
        (None, "PNG", ""),
        ("image/jpg", "JPEG", ""),
        ("IMAGE/JPEG; q=1", "JPEG", ""),
        ("image/png", "JPEG", "inline image: labelled image/png, sent as image/jpeg, which it is"),
        ("application/pdf", "WEBP", "inline image: labelled application/pdf, sent as image/webp, which it is"),
    ],
)
def test_the_bytes_tell_the_type(declared: str | None, name: str, note: str, pictures: Pictures) -> None:
    source = inline(IMAGES[name])
    outcome = settled(medium(source, declared), Anthropic(), Choices(), pictures)
    assert sent(outcome) == medium(source, f"image/{name.lower()}", size=SIZE)
    assert noted(outcome) == ([f"line 18, entry 4a787b67, /message/content/1: {note}"] if note else [])


@pytest.mark.parametrize(
    ("kind", "data", "found"),
    [(MediaKind.DOCUMENT, IMAGES["PNG"], MediaKind.IMAGE), (MediaKind.IMAGE, DOCUMENT, MediaKind.DOCUMENT)],
)
def test_the_bytes_tell_the_kind(kind: MediaKind, data: bytes, found: MediaKind, pictures: Pictures) -> None:
    media = sent(settled(medium(inline(data), None, kind), Anthropic(), Choices(), pictures))
    assert isinstance(media, Media)
    assert media.kind is found


@pytest.mark.parametrize(
    ("provider", "refused"),
    [
        (Anthropic(), {"BMP", "TIFF", "AVIF", "HEIC"}),
        (OpenAIChat(), {"BMP", "TIFF", "AVIF", "HEIC", "moving"}),
        (Gemini(), {"BMP", "TIFF", "AVIF"}),
    ],
    ids=lambda value: getattr(value, "id", ""),
)
def test_types_that_an_interface_takes(provider: Provider, refused: set[str], pictures: Pictures) -> None:
    outcomes = {name: settled(medium(inline(data)), provider, Choices(), pictures) for name, data in IMAGES.items()}
    assert {name for name, outcome in outcomes.items() if outcome.faults} == refused


def test_a_refused_type_names_the_ways_out(pictures: Pictures) -> None:
    [fault] = settled(medium(inline(IMAGES["BMP"])), Anthropic(), Choices(), pictures).faults
    assert str(fault) == "line 18, entry 4a787b67, /message/content/1: inline image: image/bmp is not accepted by anthropic"
    assert all(way in fault.advice for way in ("sessionkit repair", "--fit", "--bad-image placeholder"))


def test_a_refused_type_that_is_fitted_later_stays(pictures: Pictures) -> None:
    source = inline(IMAGES["BMP"])
    outcome = settled(medium(source, "image/bmp"), Anthropic(), Choices(bad=Bad.KEEP), pictures)
    assert (sent(outcome), outcome.notes, outcome.faults) == (medium(source, "image/bmp", size=SIZE), (), ())


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (GONE, f"{GONE.asset.reference}: missing"),
        (Inline(""), "inline image: empty"),
        (Inline("?"), "inline image: not base64: foreign characters"),
        (inline(IMAGES["PNG"][:-9]), "inline image: cut off: "),
        (inline(b"nothing known"), "inline image: no image that anybody knows"),
        (Uri("images/../secret.png"), "inline image: no asset of this session: images/../secret.png"),
        (Uri("blob:x"), "inline image: no asset of this session: blob:x"),
        (Uri("data:image/svg+xml,<svg/>"), "inline image: a data URL that is not base64"),
        (Uri(""), "inline image: empty"),
    ],
)
def test_what_cannot_be_read_stops_all(source: MediaSource, reason: str, pictures: Pictures) -> None:
    [fault] = settled(medium(source), Anthropic(), Choices(), pictures).faults
    assert str(fault).startswith(f"line 18, entry 4a787b67, /message/content/1: {reason}")
    assert "--missing placeholder" in fault.advice


DIGEST = AssetName.of(IMAGES["BMP"], sniff(IMAGES["BMP"])).digest[:12]


@pytest.mark.parametrize(
    ("media", "text"),
    [
        (medium(GONE), "[image unavailable: missing; sha256:000000000000]"),
        (medium(GONE, "image/png", size=Size(8, 5)), "[image unavailable: missing; image/png 8x5; sha256:000000000000]"),
        (medium(GONE, "not a type] [", size=Size(8, 5)), "[image unavailable: missing; 8x5; sha256:000000000000]"),
        (medium(Inline(""), "image/png"), "[image unavailable: empty; image/png]"),
        (medium(Inline(""), "application/pdf", MediaKind.DOCUMENT), "[document unavailable: empty; application/pdf]"),
        (medium(Uri("blob:x")), "[image unavailable: no asset of this session: blob:x]"),
        (
            medium(inline(IMAGES["BMP"]), "image/png"),
            f"[image unavailable: image/bmp is not accepted; image/bmp {WIDTH}x{HEIGHT}; sha256:{DIGEST}]",
        ),
    ],
)
def test_a_text_that_stands_for_an_image(media: Media, text: str, pictures: Pictures) -> None:
    outcome = settled(media, Anthropic(), PLACEHOLDERS, pictures)
    assert sent(outcome) == Text(text, AT)
    assert not outcome.faults
    assert ["so a text stands for it" in note.text for note in outcome.notes] == [True]


def test_texts_for_images_are_not_joined(pictures: Pictures) -> None:
    [message] = MediaRule(Anthropic(), PLACEHOLDERS, pictures, lambda *_: False)((user(medium(GONE), medium(GONE)),)).messages
    assert message.content == (Text("[image unavailable: missing; sha256:000000000000]", AT),) * 2


@pytest.mark.parametrize(
    ("media", "text"),
    [
        (medium(inline(SOUND), "audio/wav", MediaKind.DOCUMENT), "(audio omitted: not supported)"),
        (medium(inline(SOUND), "image/png"), "(audio omitted: not supported)"),
        (medium(inline(b"\0\1\2"), "audio/pcm16", MediaKind.DOCUMENT), "(audio omitted: not supported)"),
        (medium(Inline(""), "audio/mp3", MediaKind.DOCUMENT), "(audio omitted: not supported)"),
        (medium(Inline("?"), "video/mp4", MediaKind.DOCUMENT), "(video omitted: not supported)"),
        (medium(inline(b"PK\3\4"), "application/zip", MediaKind.DOCUMENT), "(document omitted: not supported)"),
    ],
)
def test_what_no_interface_takes(media: Media, text: str, pictures: Pictures) -> None:
    outcome = settled(media, Anthropic(), Choices(), pictures)
    assert sent(outcome) == Text(text, AT)
    assert (len(outcome.notes), outcome.faults) == (1, ())


@pytest.mark.parametrize("knows", [True, False])
def test_media_of_the_network(knows: bool, pictures: Pictures) -> None:
    media = medium(Uri("https://h/a.png"))
    outcome = MediaRule(Anthropic(), Choices(), pictures, lambda *_: knows)((user(media),))
    assert sent(outcome) == (media if knows else Text("(image omitted: only its vendor can resolve it)", AT))
    assert len(outcome.notes) == (0 if knows else 1)


def test_every_fault_is_told(pictures: Pictures) -> None:
    messages = (user(medium(GONE), medium(Inline(""))), tool(result("a", Text("1"), medium(inline(IMAGES["BMP"])))))
    faults = MediaRule(Anthropic(), Choices(), pictures, lambda *_: False)(messages).faults
    assert [fault.text.rpartition(": ")[2] for fault in faults] == ["missing", "empty", "image/bmp is not accepted by anthropic"]


def test_a_stored_image_is_like_an_inline_one(tmp_path: Path, pictures: Pictures) -> None:
    name = AssetName.of(IMAGES["PNG"], PNG)
    with LocalStore(tmp_path / "images") as store:
        store.put(name, IMAGES["PNG"])
        store.flush()
    stored = sent(settled(medium(Stored(name), "image/png", size=Size(1, 1)), Anthropic(), Choices(), pictures))
    assert stored == replace(medium(Stored(name)), media_type="image/png", size=SIZE)
