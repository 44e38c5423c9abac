"""Which exhibits are one picture: what stands under one id, unless far too much does."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.base64 import encode
from sessionkit.faults.exhibits import Place
from sessionkit.faults.families import families_of
from tests.faults.workshop import Session, opened

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.exhibits import Exhibit

MANY = 2000


def read(call: str, data: str) -> dict[str, object]:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
    return {"type": "tool_result", "tool_use_id": call, "content": [image]}


def lines(results: list[list[dict[str, object]]]) -> bytes:
    """Records of Claude Code's shape, each with results of tools, and the first of them as its screen shows it."""
    records = (
        {"type": "user", "uuid": f"u{at}", "message": {"role": "user", "content": held}, "toolUseResult": held[0]["content"]}
        for at, held in enumerate(results)
    )
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def text(at: int) -> str:
    return encode(b"\x89PNG\r\n\x1a\n" + at.to_bytes(60)).decode()


def found(raw: bytes) -> list[Exhibit]:
    return list(Session(tuple(raw.splitlines(keepends=True))).exhibits)


@pytest.mark.parametrize("count", [1, 16])
def test_what_stands_under_one_id_is_one_picture(count: int) -> None:
    exhibits = found(lines([[read("call", text(at))] for at in range(count)]))
    (family,) = families_of(exhibits)
    assert (len(family.members), len(family.screens)) == (2 * count, count)
    assert {screen.place for screen in family.screens} == {Place.TWIN}


def test_an_id_that_every_call_has_names_no_picture() -> None:
    exhibits = found(lines([[read("call", text(at))] for at in range(40)]))
    families = list(families_of(exhibits))
    assert [[member.line for member in family.members] for family in families] == [[at, at] for at in range(1, 41)]
    assert len({family.name for family in families}) == 40


def test_copies_of_compactions_are_not_counted() -> None:
    exhibits = found(lines([[read("call", text(0))]]))
    copies = [replace(exhibits[0], line=at, place=Place.COPY) for at in range(2, 100)]
    (family,) = families_of([*exhibits, *copies])
    assert len(family.members) == 100


def test_thousands_of_results_of_one_call(tmp_path: Path) -> None:
    """On lines of their own and on one; what is asked of one is asked of all."""
    apart, together = [[read("a", text(at))] for at in range(MANY)], [read("b", text(MANY + at)) for at in range(MANY)]
    with opened(tmp_path, Session((lines([*apart, together]),))) as case:
        gallery = case.gallery
        messages = [exhibit for exhibit in case.exhibits if exhibit.place is Place.MESSAGE]
        assert len(messages) == 2 * MANY
        assert {len(gallery.twins(exhibit)) for exhibit in messages[:MANY]} == {1}
        assert {gallery.twins(exhibit) for exhibit in messages[MANY:]} == {()}
        assert len(list(gallery.kin(messages))) == 3 * MANY
