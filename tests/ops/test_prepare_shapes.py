"""The blocks of an image as agents keep them and vendors take them, inline and in a store."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from sessionkit.core.files import Durability
from sessionkit.core.ladder import Bounds
from sessionkit.core.stores.base import LockKind
from sessionkit.core.stores.local import LocalStore
from sessionkit.errors import LockedError, UnwritableError, UsageError
from sessionkit.ops.prepare import SHAPES, Options, Prepared, prepare, shape_of
from sessionkit.ops.targets import Mirror
from sessionkit.ops.writing import Effect, Writing
from tests.ops.runs import migrate_one
from tests.pictures import animation, picture

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.assets import AssetName

DATA = picture("PNG")
BASE64 = base64.b64encode(DATA).decode()
URL = f"data:image/png;base64,{BASE64}"
NAME = f"images/{hashlib.sha256(DATA).hexdigest()}.png"
TEXT = "Read image file [image/png]"

INLINE: dict[str, list[dict[str, Any]]] = {
    "native": [{"type": "text", "text": TEXT}, {"type": "image", "mime_type": "image/png", "data": BASE64}],
    "pi": [{"type": "text", "text": TEXT}, {"type": "image", "data": BASE64, "mimeType": "image/png"}],
    "anthropic": [
        {"type": "text", "text": TEXT},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": BASE64}},
    ],
    "openai-chat": [{"type": "text", "text": TEXT}, {"type": "image_url", "image_url": {"url": URL}}],
    "openai-responses": [{"type": "input_text", "text": TEXT}, {"type": "input_image", "detail": "auto", "image_url": URL}],
    "gemini": [{"text": TEXT}, {"inlineData": {"mimeType": "image/png", "data": BASE64}}],
}
REFERENCE = {"type": "image", "mime_type": "image/png", "asset_path": NAME, "width": 37, "height": 23}


def into(store: Path, shape: str = "native", **choices: Any) -> Options:  # noqa: ANN401  whatever Writing takes
    return Options(shape_of(shape), store=store, writing=Writing(durability=Durability.NO_SYNC, **choices))


def written(blocks: object) -> str:
    return json.dumps({"role": "user", "parts" if "inlineData" in str(blocks) else "content": blocks}, separators=(",", ":")) + "\n"


def test_all_shapes_are_in_the_table() -> None:
    assert set(INLINE) == set(SHAPES)
    with pytest.raises(UsageError):
        shape_of("bedrock")


@pytest.mark.parametrize("shape", SHAPES)
def test_inline(shape: str) -> None:
    assert json.dumps(prepare(DATA, Options(shape_of(shape))).blocks) == json.dumps(INLINE[shape])


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape != "native"])
def test_a_reference_is_what_migrate_would_write(tmp_path: Path, shape: str) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text(written(INLINE[shape]))
    out = tmp_path / "out"
    migrate_one(source, Mirror(out))
    prepared = prepare(DATA, into(tmp_path / "images", shape))
    assert written(prepared.blocks) == (out / "a.jsonl").read_text()
    assert (tmp_path / NAME).read_bytes() == (out / NAME).read_bytes() == DATA


def test_native_references_name_no_member(tmp_path: Path) -> None:
    prepared = prepare(DATA, into(tmp_path / "images"))
    assert json.dumps(prepared.blocks) == json.dumps([{"type": "text", "text": TEXT}, REFERENCE])
    assert (tmp_path / NAME).read_bytes() == DATA


def asset_of(prepared: Prepared) -> AssetName:
    assert prepared.asset is not None
    return prepared.asset


def test_what_was_drawn_anew_is_what_is_stored(tmp_path: Path) -> None:
    asset = asset_of(prepare(picture("BMP", size=(2400, 300)), into(tmp_path)))
    assert asset.ext == "png"
    with LocalStore(tmp_path) as store:
        assert store.is_whole(asset)


def test_sizes_of_references_are_those_of_the_header(tmp_path: Path) -> None:
    """As everywhere in sessions: EXIF turns a picture only when it is shown."""
    exif = Image.Exif()
    exif[0x0112] = 6
    prepared = prepare(picture("JPEG", exif=exif), into(tmp_path))
    assert prepared.blocks[1] == REFERENCE | {"mime_type": "image/jpeg", "asset_path": asset_of(prepared).reference}


def test_a_rehearsal_puts_nothing(tmp_path: Path) -> None:
    prepared = prepare(DATA, into(tmp_path / "images", effect=Effect.REHEARSE))
    assert prepared.blocks[1] == REFERENCE
    assert not (tmp_path / "images").exists()


def test_nothing_is_put_where_nothing_is_shown(tmp_path: Path) -> None:
    prepare(DATA, Options(bounds=Bounds(base64=9), store=tmp_path / "images"))
    assert not (tmp_path / "images").exists()


def test_stores_that_nothing_can_be_put_into(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UnwritableError):
        prepare(DATA, into(tmp_path / "file"))
    (tmp_path / "images").mkdir()
    with LocalStore(tmp_path / "images").lock(LockKind.EXCLUSIVE, 0), pytest.raises(LockedError):
        prepare(DATA, into(tmp_path / "images", lock_timeout=0))


FIRST = "[Image converted from image/gif to image/png: the first of 3 frames.]"
TYPES = {
    "native": (None, None),
    "pi": (None, None),
    "anthropic": (None, None),
    "openai-chat": (None, FIRST),
    "openai-responses": (None, FIRST),
    "gemini": ("[Image converted from image/gif to image/png.]", FIRST),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_gif_becomes_what_an_interface_takes(shape: str) -> None:
    for data, note in zip((picture("GIF", "P"), animation("GIF")), TYPES[shape], strict=True):
        prepared = prepare(data, Options(shape_of(shape)))
        assert prepared.text.split("\n")[:2][1:] == ([note] if note else [])
        assert prepared.text.startswith(f"Read image file [image/{'png' if note else 'gif'}]")
