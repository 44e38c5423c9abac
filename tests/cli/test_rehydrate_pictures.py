"""Pictures that `rehydrate` cannot send as they are: what is advised, and what stands for them."""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import ExitCode
from tests.cli.sending import ANTHROPIC, BMP, PNG, image, pi

if TYPE_CHECKING:
    from tests.cli.running import Cli

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"/>'
INSTEAD = "--bad-image placeholder sends a text instead; --force writes it all the same"


def claiming(side: int) -> bytes:
    """A PNG whose header is that of a larger one."""
    header = b"IHDR" + side.to_bytes(4, "big") * 2 + PNG[24:29]
    return PNG[:12] + header + zlib.crc32(header).to_bytes(4, "big") + PNG[33:]


@pytest.mark.parametrize(
    ("data", "mime", "words", "reason"),
    [
        (SVG, "image/svg+xml", (), ""),
        (SVG, "image/svg+xml", ("--fit",), "it cannot be made smaller: image/svg+xml cannot be decoded"),
        (claiming(12_000), "image/png", (), ""),
        (claiming(12_000), "image/png", ("--fit",), "it cannot be made smaller: more than 120 megapixels, which are never decoded"),
        (
            claiming(12_000),
            "image/png",
            ("--decode",),
            "more than 120 megapixels, which are never decoded: `--bad-image placeholder` sends",
        ),
    ],
)
def test_the_next_step_is_one_that_helps(cli: Cli, data: bytes, mime: str, words: tuple[str, ...], reason: str) -> None:
    path = pi("a.jsonl", image(data, mime))
    ran = cli("rehydrate", path, *ANTHROPIC, *words)
    assert ran.code == ExitCode.FINDINGS
    assert ran.err.splitlines()[-1] == f"  next: {INSTEAD}"
    assert reason in " ".join(ran.err.split())
    helped = cli("rehydrate", path, *ANTHROPIC, *words, "--bad-image", "placeholder")
    assert (helped.code, helped.out.count("[image unavailable: ")) == (ExitCode.OK, 1)
    assert "so a text stands for it" in " ".join(helped.err.split())


def test_what_can_be_converted_is_before_a_text_stands_for_it(cli: Cli) -> None:
    path = pi("a.jsonl", image(BMP, "image/bmp"), image(SVG, "image/svg+xml"))
    ran = cli("rehydrate", path, *ANTHROPIC, "--fit", "--bad-image", "placeholder")
    assert (ran.code, ran.out.count('"image/png"'), ran.out.count("[image unavailable: ")) == (ExitCode.OK, 1, 1)


def test_documents_are_for_models_that_see(cli: Cli) -> None:
    pdf = {"type": "image", "data": base64.b64encode(b"%PDF-1.7\n%%EOF\n").decode(), "mimeType": "application/pdf"}
    path = pi("a.jsonl", pdf)
    assert json.loads(cli("rehydrate", path, *ANTHROPIC).out)["messages"][0]["content"][1]["type"] == "document"
    blind = json.loads(cli("rehydrate", path, *ANTHROPIC, "--vision", "no").out)["messages"][0]["content"]
    assert blind[1] == {"type": "text", "text": "(document omitted: model does not support documents)"}
