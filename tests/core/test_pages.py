"""Pages of a TIFF: as many as Pillow finds, and an end to every chain."""

from __future__ import annotations

import io
import struct

import pytest
from PIL import Image

from sessionkit.core.pages import count_pages
from tests.pictures import animation, picture

ONE = b"II*\0" + struct.pack("<IHI", 8, 0, 0)


@pytest.mark.parametrize("data", [picture("TIFF"), animation("TIFF")], ids=["one", "three"])
def test_as_many_as_pillow_finds(data: bytes) -> None:
    assert count_pages(io.BytesIO(data)) == Image.open(io.BytesIO(data)).n_frames  # type: ignore[attr-defined]  # of TIFFs


@pytest.mark.parametrize(
    ("data", "pages"),
    [
        (ONE, 1),
        (b"MM\0*" + struct.pack(">IHIHI", 8, 0, 14, 0, 0), 2),
        (ONE[:-4] + struct.pack("<I", 8), 1),
        (ONE[:-4] + struct.pack("<IHI", 14, 0, 8), 2),
        (ONE[:-4] + struct.pack("<I", 9000), 2),
        (ONE[:9], 1),
        (ONE[:5], 1),
    ],
    ids=["no entries", "the other order", "itself", "a ring", "beyond the end", "cut in a page", "cut in the header"],
)
def test_chains_end(data: bytes, pages: int) -> None:
    assert count_pages(io.BytesIO(data)) == pages
