"""Damage the fixtures byte by byte, and hold the laws: FUZZ_SECONDS long (60), from FUZZ_SEED on (the clock's, printed)."""

from __future__ import annotations

import os
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.base64 import encode
from sessionkit.core.media.policy import Policy, Spelling
from tests.laws.lines import LARGE, SMALL
from tests.laws.pipeline import reading_by, restore_bytes, runs_in, spill_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures").glob("*/*/*.jsonl"))
SECONDS = float(os.environ.get("FUZZ_SECONDS", "60"))
SEED = int(os.environ.get("FUZZ_SEED", time.time_ns()))
LONGEST = 30_000
MOST_DAMAGES = 6

PIECES = [
    *(b'"', b"\\", b"\\\\", b'\\"', b"\n", b"\r\n", b"\0", b"\xef\xbb\xbf", b"\xff", b"{", b"}", b"[", b"]", b":", b",", b" ", b"\t"),
    *(b'{"', b'"}', b"null", b"NaN", b"1e999", rb"\u0064", rb"\ud800", rb"\/", b"=", b"==", b"A", b"-_", b"data:", b";base64,"),
    *(b'"data":', b'"type":"image",', b'"type":"tool_use",', b'"input":', b'"args":', b'"content":', b'"images":[', b'"source":{'),
    *(
        b'"asset_path":"images/' + b"0" * 64 + b'.png",',
        b'"asset_field":"data",',
        b'"asset_field":null',
        b'"asset_prefix":"data:;base64,",',
    ),
    *(
        b'"asset_path":',
        b'"width":3,"height":2,',
        b'"data:image/png;base64,iVBORw0KGgo="',
        b"1" * 1100,
        b"A" * 1100,
        b'"' + b"B" * 1100 + b'":',
    ),
    *(encode(data) for data in SMALL + LARGE),
]


def flip(text: bytearray, random: Random) -> None:
    text[random.randrange(len(text))] ^= 1 << random.randrange(8)


def insert(text: bytearray, random: Random) -> None:
    place = random.randrange(len(text))
    text[place:place] = random.choice(PIECES)


def replace(text: bytearray, random: Random) -> None:
    place = random.randrange(len(text))
    piece = random.choice(PIECES)
    text[place : place + len(piece)] = piece


def cut(text: bytearray, random: Random) -> None:
    place = random.randrange(len(text))
    del text[place : place + random.choice([1, 1, 2, 10, 100, 1000])]


def copy(text: bytearray, random: Random) -> None:
    source, target = random.randrange(len(text)), random.randrange(len(text))
    text[target:target] = text[source : source + random.choice([1, 8, 64, 512, 4096])]


def swap(text: bytearray, random: Random) -> None:
    """Put a token of the text in the place of another one."""
    quotes = [place for place in range(len(text)) if text[place] == ord('"')]
    if len(quotes) > 3:
        one, other = random.randrange(len(quotes) - 1), random.randrange(len(quotes) - 1)
        text[quotes[one] : quotes[one + 1]] = text[quotes[other] : quotes[other + 1]]


def glue(text: bytearray, random: Random) -> None:
    ends = [place for place in range(len(text)) if text[place] == ord("\n")]
    if ends:
        del text[random.choice(ends)]


DAMAGES: list[Callable[[bytearray, Random], None]] = [flip, insert, insert, replace, cut, copy, swap, swap, glue]


def damaged(text: bytes, random: Random) -> bytes:
    start = random.randrange(max(1, len(text) - LONGEST))
    result = bytearray(text[start : start + LONGEST] if random.random() < 0.5 else text[:LONGEST])
    for _ in range(random.randint(1, MOST_DAMAGES)):
        random.choice(DAMAGES)(result, random)
        result = result or bytearray(b"\n")
    return bytes(result)


def hold_laws(session: bytes, random: Random) -> None:
    policy = Policy(spelling=random.choice(list(Spelling)))
    with reading_by(random.choice([50, 3000, 1 << 20])):
        spilled = spill_bytes(session, policy)
    assert spill_bytes(spilled.text, policy).text == spilled.text
    assert spilled.text.count(b"\n") == session.count(b"\n")
    if policy.spelling is Spelling.EXACT and not runs_in(session):
        assert restore_bytes(spilled.text, spilled.assets) == session


@pytest.mark.fuzz
def test_damaged_sessions_keep_the_laws() -> None:
    print(f"FUZZ_SEED={SEED}")
    texts = [path.read_bytes() for path in FIXTURES]
    until, number = time.monotonic() + SECONDS, SEED
    while time.monotonic() < until:
        random = Random(number)  # noqa: S311  it must give the same again
        session = damaged(random.choice(texts), random)
        try:
            hold_laws(session, random)
        except Exception:
            print(f"FUZZ_SEED={number}: the first one is it\n{session!r}")
            raise
        number += 1
    print(f"{number - SEED} sessions")
