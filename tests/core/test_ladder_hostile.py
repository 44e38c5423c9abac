"""Pictures that are damaged, or claim to be huge, or are."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.ladder import Bounds, Fitted, Unfit, fit
from tests.pictures import bmp, heic, images, picture


def _claiming(side: int) -> bytes:
    data = bytearray(bmp(40, 1, 1))
    data[18:26] = side.to_bytes(4, "little") * 2
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(b"", "not a picture in a known format", id="nothing"),
        pytest.param(b"<html>", "not a picture in a known format", id="html"),
        pytest.param(b"%PDF-1.7", "not a picture in a known format", id="pdf"),
        pytest.param(b"\xff\xd8\xff\xf7\0\x0b", "not a picture in a known format", id="jpeg-ls"),
        pytest.param(heic((10, 10)), "image/heic cannot be decoded", id="heic"),
        pytest.param(b"<svg/>", "image/svg+xml cannot be decoded", id="svg"),
        pytest.param(_claiming(11_000), "more than 120 megapixels", id="bomb"),
        pytest.param(_claiming(50_000), "more than 120 megapixels", id="bigger bomb"),
        pytest.param(picture("PNG", size=(3000, 1))[:80], "truncated", id="cut off"),
        pytest.param(b"GIF", "not a picture in a known format", id="nothing but a name"),
    ],
)
def test_hostile_bytes_have_a_reason(data: bytes, reason: str) -> None:
    result = fit(data)
    assert isinstance(result, Unfit)
    assert reason in result.reason


@given(st.sampled_from(sorted(images())), st.data())
def test_damage_is_a_short_reason_or_a_picture_within_bounds(name: str, draw: st.DataObject) -> None:
    _, whole = images()[name]
    data = bytearray(whole[: draw.draw(st.integers(0, len(whole)))] or b"x")
    data[draw.draw(st.integers(0, len(data) - 1))] ^= draw.draw(st.integers(0, 255))
    bounds = Bounds(side=32, base64=2000)
    match fit(bytes(data), bounds):
        case Unfit(reason):
            assert 0 < len(reason) < 200
            assert "\n" not in reason
        case Fitted() as result:
            assert bounds.hold(result.data)


PEAK = """
import pathlib, sys
from sessionkit.core.ladder import Fitted, fit
result = fit(sys.stdin.buffer.read())
assert isinstance(result, Fitted) and (result.size.width, result.size.height) == (2000, 1500), result
print(pathlib.Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
"""


@pytest.mark.system
@pytest.mark.parametrize(
    ("mode", "kind", "most"),
    [
        pytest.param("RGB", "JPEG", 150, id="a JPEG is never unpacked in full"),
        pytest.param("RGBA", "PNG", 640, id="the pixels, and nothing else of their size"),
        pytest.param("P", "PNG", 300, id="a palette is replaced piece by piece"),
    ],
)
def test_memory(mode: str, kind: str, most: int) -> None:
    data = picture(kind, mode, (12_000, 9_000), compress_level=1)
    run = subprocess.run([sys.executable, "-c", PEAK], input=data, capture_output=True, check=True)
    assert int(run.stdout) / 1000 < most
