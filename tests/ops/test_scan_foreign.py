from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ops.test_scan import HEX, image, line, seen, tally

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("value", "tool", "pointer"),
    [
        (image(f"blob:sha256:{HEX}"), "oh-my-pi", "/data"),
        ({"text": f"blobtext:sha256:{HEX}"}, "oh-my-pi", "/text"),
        ({"url": f"blobref:image/png;{HEX}"}, "kimi-code", "/url"),
        ({"a": [f"data:image/png;base64,entire-asset:assets/img-{HEX[:32]}.png"]}, "entireio/cli", "/a/0"),
        ({"a": f"entire-asset:assets/img-{HEX[:32]}.png"}, "entireio/cli", "/a"),
        ({"arguments": {"src": f"asset://{HEX}.png"}}, "agentsview", "/arguments/src"),
        ({"image": f"attachment://{HEX[:32]}"}, "Inspect AI", "/image"),
        ({"assetId": f"sha256:{HEX}"}, "Copilot CLI", "/assetId"),
        ({"source": {"type": "sha256_ref", "hash": HEX}}, "trajector-cli", "/source/type"),
        ({"attachment": HEX[:32]}, "local-operator", "/attachment"),
        ({"parts": [{"text": f"[Image #{HEX[:12]}: image/png, 1234 bytes]"}]}, "qwen-code", "/parts/0/text"),
        ({"type": "image", "source": {"media_type": "image/png", "path": "images/step_1.png"}}, "ATIF", "/source/path"),
    ],
)
def test_foreign_reference(tmp_path: Path, value: object, tool: str, pointer: str) -> None:
    escaped = line(value).replace(b"/", b"\\/")
    result = tally(tmp_path, line(value) + escaped)
    assert result.foreign == {tool: 2}
    assert seen(result) == [("foreign", 1, pointer), ("foreign", 2, pointer)]


@pytest.mark.parametrize(
    "value",
    [
        {"text": f"it says blob:sha256:{HEX}"},
        {"text": "blob:sha256:"},
        {"digest": f"sha256:{HEX}"},
        {"type": "sha256_ref"},
        {"attachment": "report.pdf"},
        {"path": "images/step_1.png"},
        {"type": "file", "source": {"media_type": "image/png", "path": "a"}},
        {f"asset://{HEX}.png": 1},
    ],
)
def test_no_foreign_reference(tmp_path: Path, value: object) -> None:
    assert tally(tmp_path, line(value)).foreign == {}
