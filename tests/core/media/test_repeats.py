"""A picture that comes again is compared with its asset, and trusted no further."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.base64 import encode
from sessionkit.core.files import Durability
from sessionkit.core.jsonl import Block
from sessionkit.core.media.policy import Policy
from sessionkit.core.stores.base import Stored
from sessionkit.core.stores.local import LocalStore
from sessionkit.ops.spiller import Spiller

if TYPE_CHECKING:
    from pathlib import Path

PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR" + bytes(3000)


def spill(spiller: Spiller, *payloads: bytes) -> None:
    lines = (json.dumps({"type": "image", "data": encode(payload).decode()}) + "\n" for payload in payloads)
    data = bytearray("".join(lines).encode())
    spiller.edits(Block(data, len(data), 0, 1))


@pytest.mark.parametrize("durability", Durability)
def test_a_copy_is_recognised_before_and_after_its_asset_has_its_name(tmp_path: Path, durability: Durability) -> None:
    with LocalStore(tmp_path / "images", durability=durability) as store:
        spiller = Spiller(store, Policy())
        spill(spiller, PICTURE, PICTURE)
        store.flush()
        spill(spiller, PICTURE)
    assert spiller.ledger.stock.counts == {Stored.NEW: 1, Stored.KNOWN: 2}


def test_what_only_looks_like_a_copy_is_another_asset(tmp_path: Path) -> None:
    """Head, tail and length agree; the middle does not."""
    other = PICTURE[:1500] + b"\x01" + PICTURE[1501:]
    with LocalStore(tmp_path / "images") as store:
        spiller = Spiller(store, Policy())
        spill(spiller, PICTURE, other, PICTURE)
        store.flush()
    assert spiller.ledger.stock.counts[Stored.NEW] == 2
    assert len(list((tmp_path / "images").iterdir())) == 2
