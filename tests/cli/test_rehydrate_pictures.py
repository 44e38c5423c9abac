"""Pictures that `rehydrate` cannot send as they are: what is advised, and what stands for them."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
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


SPARED = "more than 120 megapixels, which are never decoded"
STEPS = [
    (SVG, (), ""),
    (SVG, ("--fit",), "it cannot be made smaller: image/svg+xml cannot be decoded"),
    (claiming(12_000), (), ""),
    (claiming(12_000), ("--fit",), f"it cannot be made smaller: {SPARED}"),
    (claiming(12_000), ("--decode",), f"{SPARED}; `--bad-image placeholder` sends a text instead"),
]


@pytest.mark.parametrize(("data", "words", "reason"), STEPS)
def test_the_next_step_is_one_that_helps(cli: Cli, data: bytes, words: tuple[str, ...], reason: str) -> None:
    path = pi("a.jsonl", image(data, "image/svg+xml" if data is SVG else "image/png"))
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
    pdf = {"type": "base64", "media_type": "application/pdf", "data": base64.b64encode(b"%PDF-1.7\n%%EOF\n").decode()}
    Path("a.jsonl").write_text(json.dumps({"role": "user", "content": [{"type": "document", "source": pdf}]}))
    assert json.loads(cli("rehydrate", "a.jsonl", *ANTHROPIC).out)["messages"][0]["content"] == [{"type": "document", "source": pdf}]
    blind = json.loads(cli("rehydrate", "a.jsonl", *ANTHROPIC, "--vision", "no").out)
    assert blind["messages"][0]["content"] == [{"type": "text", "text": "(document omitted: model does not support documents)"}]
