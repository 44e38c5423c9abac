"""Whatever stands where media should stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.dialects.media import kind_of, read_media, read_source
from sessionkit.core.model import NOWHERE, Inline, MediaKind, MediaSource, Stored, Uri
from sessionkit.core.pixels import Size
from sessionkit.core.slices import Slice

ASSET = AssetName("a" * 64, "png")
PREFIX = "data:image/png;base64,"
SLICE = Slice(Path("session.jsonl"), 9, 4000)
URL_SLICE = Slice(Path("session.jsonl"), 9, 4000, PREFIX)


@pytest.mark.parametrize(
    ("value", "source", "media_type"),
    [
        ("QUJD", Inline("QUJD"), None),
        (PREFIX + "QUJD", Inline("QUJD"), "image/png"),
        ("DATA:Image/PNG;charset=x;BASE64,QUJD", Inline("QUJD"), "Image/PNG"),
        ("data:;base64,QUJD", Inline("QUJD"), None),
        ("data:image/svg+xml,<svg/>", Uri("data:image/svg+xml,<svg/>"), None),
        (SLICE, SLICE, None),
        (URL_SLICE, URL_SLICE, "image/png"),
        ("https://host/a.png", Uri("https://host/a.png"), None),
        ("blob:sha256:00", Uri("blob:sha256:00"), None),
        ("/home/user/a.png", Inline("/home/user/a.png"), None),
        ("<svg/>", Inline("<svg/>"), None),
        ("", Inline(""), None),
        (None, Inline(""), None),
        (7, Inline(""), None),
        ([], Inline(""), None),
        ({"asset_path": ASSET.reference, "asset_field": None}, Stored(ASSET), None),
        ({"asset_path": ASSET.reference, "asset_prefix": PREFIX, "asset_field": None}, Stored(ASSET), "image/png"),
        ({"asset_path": "images/../../etc/passwd", "asset_field": None}, Uri("images/../../etc/passwd"), None),
        ({"asset_path": ASSET.reference, "asset_field": "data"}, Inline(""), None),
        ({"asset_path": ASSET.reference}, Inline(""), None),
        ({"asset_path": 7, "asset_field": None}, Inline(""), None),
    ],
)
def test_value(value: object, source: MediaSource, media_type: str | None) -> None:
    found = read_source(value)
    assert (found.source, found.media_type) == (source, media_type)


@pytest.mark.parametrize(
    ("holder", "source", "media_type", "size"),
    [
        ({"data": "QUJD", "mimeType": "image/png"}, Inline("QUJD"), "image/png", None),
        ({"data": "QUJD", "media_type": "image/png", "width": 3, "height": 2}, Inline("QUJD"), "image/png", Size(3, 2)),
        ({"data": "QUJD", "width": 0, "height": 2}, Inline("QUJD"), None, None),
        ({"data": "QUJD", "width": "3", "height": "2"}, Inline("QUJD"), None, None),
        ({"data": PREFIX + "QUJD", "mime": "image/gif"}, Inline("QUJD"), "image/png", None),
        ({"asset_path": ASSET.reference, "width": 3, "height": 2, "asset_field": "data"}, Stored(ASSET), None, Size(3, 2)),
        ({"asset_path": ASSET.reference, "asset_prefix": PREFIX, "asset_field": "data"}, Stored(ASSET), "image/png", None),
        ({"asset_path": ASSET.reference, "asset_field": "other", "data": "QUJD"}, Inline("QUJD"), None, None),
        ({"asset_path": ASSET.reference, "asset_field": "other"}, Inline(""), None, None),
        ({"data": {"asset_path": ASSET.reference, "width": 3, "height": 2, "asset_field": None}}, Stored(ASSET), None, Size(3, 2)),
        ({"asset_path": ASSET.reference, "mime_type": "image/png"}, Stored(ASSET), "image/png", None),
        ({"assetPath": ASSET.reference, "mimeType": 7}, Stored(ASSET), None, None),
        ({"data": "QUJD", "asset_path": ASSET.reference}, Inline("QUJD"), None, None),
        ({"data": None, "asset_path": ASSET.reference}, Stored(ASSET), None, None),
        ({}, Inline(""), None, None),
    ],
)
def test_member(holder: dict[str, object], source: MediaSource, media_type: str | None, size: Size | None) -> None:
    media = read_media(holder, "data", NOWHERE)
    assert (media.source, media.media_type, media.size) == (source, media_type, size)


@pytest.mark.parametrize(
    ("media_type", "kind"),
    [
        (None, MediaKind.IMAGE),
        ("image/png", MediaKind.IMAGE),
        ("IMAGE/PNG", MediaKind.IMAGE),
        ("application/pdf", MediaKind.DOCUMENT),
        ("audio/wav", MediaKind.DOCUMENT),
    ],
)
def test_kind(media_type: str | None, kind: MediaKind) -> None:
    assert kind_of(media_type) is kind
