"""The grammar of asset references, to the letter."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import KNOWN_EXTENSIONS, PNG, sniff
from tests.pictures import images

HEX = "0123456789abcdef" * 4

ODD = [
    "",
    "images",
    "images/",
    HEX,
    f"{HEX}.png",
    f"images/{HEX}",
    f"images/{HEX}.",
    f"images/.{HEX}.png",
    f"images/{HEX[:-1]}.png",
    f"images/{HEX}0.png",
    f"images/{HEX.upper()}.png",
    f"images/A{HEX[1:]}.png",
    f"images/g{HEX[1:]}.png",
    f"images/\N{FULLWIDTH DIGIT ZERO}{HEX[1:]}.png",
    f"images/\N{ARABIC-INDIC DIGIT ONE}{HEX[1:]}.png",
    f"images/\N{CYRILLIC SMALL LETTER A}{HEX[1:]}.png",
    f"images/{HEX}.PNG",
    f"images/{HEX}.jpeg",
    f"images/{HEX}.tif",
    f"images/{HEX}.exe",
    f"images/{HEX}.png.exe",
    f"images/{HEX}.png.",
    f"images/{HEX}..png",
    f"images/{HEX}xpng",
    f"images/{HEX}.png\n",
    f"images/{HEX}.png\r",
    f"images/{HEX}.png\0",
    f"images/{HEX}.png ",
    f" images/{HEX}.png",
    f"\nimages/{HEX}.png",
    f"\N{ZERO WIDTH NO-BREAK SPACE}images/{HEX}.png",
    f"images/{HEX}.png/",
    f"images/{HEX}.png?x",
    f"images/{HEX}.png#x",
    f"images//{HEX}.png",
    f"/images/{HEX}.png",
    f"//images/{HEX}.png",
    f"./images/{HEX}.png",
    f"../images/{HEX}.png",
    f"images/../{HEX}.png",
    f"images/./{HEX}.png",
    f"images/sub/{HEX}.png",
    f"../../etc/passwd/images/{HEX}.png",
    f"images\\{HEX}.png",
    f"C:\\images\\{HEX}.png",
    f"images%2f{HEX}.png",
    f"images/%30{HEX[1:]}.png",
    f"Images/{HEX}.png",
    f"assets/{HEX}.png",
    f"file:///images/{HEX}.png",
    f"https://example.com/images/{HEX}.png",
    f"images/{HEX}.png\nimages/{HEX}.png",
    f"images/\ud800{HEX[1:]}.png",
    "/etc/passwd",
]


@pytest.mark.parametrize("reference", ODD)
def test_odd_paths_are_no_references(reference: str) -> None:
    with pytest.raises(ValueError, match="not an asset reference"):
        AssetName.parse(reference)


@pytest.mark.parametrize("ext", sorted(KNOWN_EXTENSIONS))
def test_a_reference_and_its_parts(ext: str) -> None:
    name = AssetName.parse(f"images/{HEX}.{ext}")
    assert (name.digest, name.ext) == (HEX, ext)
    assert name.file_name == f"{HEX}.{ext}"
    assert name.reference == f"images/{HEX}.{ext}"


@given(st.binary())
def test_the_name_is_the_hash_that_sha256sum_shows(data: bytes) -> None:
    name = AssetName.of(memoryview(data), PNG)
    assert name == AssetName(hashlib.sha256(data).hexdigest(), "png")
    assert AssetName.parse(name.reference) == name


@pytest.mark.parametrize("name", ["apng", "jpeg exif", "gif", "webp lossy", "avif"])
def test_the_extension_comes_from_the_content(name: str) -> None:
    ext, data = images()[name]
    assert AssetName.of(data, sniff(data)).file_name.endswith(f".{ext}")


@given(st.text() | st.from_regex(r"images/[0-9a-f]{60,66}\.[a-z]{3,4}"))
def test_what_is_read_is_written_the_same(reference: str) -> None:
    try:
        name = AssetName.parse(reference)
    except ValueError:
        return
    assert name.reference == reference
