from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from sessionkit.ops.verify import Decoding, Options, Reading
from tests.ops.test_verify import JPEG, PNG, name_of, native, told, verify_one
from tests.pictures import picture

if TYPE_CHECKING:
    from pathlib import Path

LATE_SIZE = picture("JPEG", icc_profile=bytes(150_000))
BROKEN_PNG = PNG[:60] + bytes(len(PNG) - 60)
NO_SIZE = PNG[:16] + bytes(8) + PNG[24:]


@dataclass(frozen=True)
class Content:
    """An asset's bytes, the extension of its file, and what a reference to it says."""

    data: bytes
    ext: str
    members: dict[str, object] = field(default_factory=dict)


@pytest.mark.parametrize(
    ("content", "options", "expected"),
    [
        (Content(PNG, "png", {"width": 37, "height": 23}), Options(), []),
        (Content(PNG, "png"), Options(), []),
        (Content(PNG, "png", {"width": 38, "height": 23}), Options(), ["asset-size"]),
        (Content(PNG, "png", {"width": 38, "height": 23}), Options(Reading.HEADERS), ["asset-size"]),
        (Content(PNG, "png", {"width": "38", "height": "23"}), Options(), []),
        (Content(JPEG, "png", {"width": 40, "height": 30}), Options(), ["asset-type"]),
        (Content(JPEG, "png", {"width": 40, "height": 31}), Options(Reading.HEADERS), ["asset-type", "asset-size"]),
        (Content(PNG, "bin"), Options(), ["asset-type"]),
        (Content(b"nothing known", "png"), Options(), ["asset-type"]),
        (Content(b"nothing known", "bin"), Options(decoding=Decoding.YES), []),
        (Content(b"<svg/>", "svg"), Options(decoding=Decoding.YES), []),
        (Content(NO_SIZE, "png"), Options(), ["asset-undecodable"]),
        (Content(NO_SIZE, "png"), Options(Reading.HEADERS), ["asset-undecodable"]),
        (Content(BROKEN_PNG, "png"), Options(), []),
        (Content(BROKEN_PNG, "png"), Options(decoding=Decoding.YES), ["asset-undecodable"]),
        (Content(LATE_SIZE, "jpg", {"width": 37, "height": 23}), Options(), []),
        (Content(LATE_SIZE, "jpg", {"width": 1, "height": 1}), Options(), ["asset-size"]),
        (Content(LATE_SIZE, "jpg", {"width": 1, "height": 1}), Options(Reading.HEADERS), []),  # unknown is not wrong
    ],
)
def test_content_of_an_asset(tmp_path: Path, content: Content, options: Options, expected: list[str]) -> None:
    (tmp_path / "images").mkdir()
    name = name_of(content.data, content.ext)
    (tmp_path / name.reference).write_bytes(content.data)
    (tmp_path / "s.jsonl").write_bytes(native(name.reference, **content.members))
    assert [kind for _, kind in told(verify_one(tmp_path / "s.jsonl", options))] == expected
