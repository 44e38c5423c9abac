"""Thousands of one thing in one session: each is cured like one alone. What is quadratic would not be done within the day."""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.base64 import encode
from tests.ops.repairs import DRY, cured, options, repaired, stored

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

MANY = 3000
EMPTY = {"type": "text", "text": ""}
RELINK = options(writing=DRY, granted=frozenset({"relink"}))


def record(id_: str, parent: str | None, content: object) -> bytes:
    """A record of Claude Code's, of the user."""
    told = {"type": "user", "message": {"role": "user", "content": content}, "uuid": id_, "timestamp": "2026-11-30T13:14:54.357Z"}
    return json.dumps({"parentUuid": parent, "isSidechain": False, **told, "sessionId": "s", "version": "2.1.197"}).encode() + b"\n"


def chained(contents: Iterable[object]) -> list[bytes]:
    """Records of which each hangs on the one before."""
    return [record(f"u{at}", f"u{at - 1}" if at else None, content) for at, content in enumerate(contents)]


def torn_picture(at: int) -> dict[str, object]:
    data = encode(b"\x89PNG\r\n\x1a\n" + at.to_bytes(60)).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}


def result(at: int) -> list[object]:
    """A result of the only call that there seems to be."""
    return [{"type": "tool_result", "tool_use_id": "call_0", "content": [torn_picture(at)]}]


def test_empty_texts_of_one_message(tmp_path: Path) -> None:
    path = stored(tmp_path, record("a", None, [*[EMPTY] * MANY, {"type": "text", "text": "go"}]))
    assert cured(repaired(path, options(only=frozenset({"empty-text"})))) == ["empty-text"] * MANY
    assert json.loads(path.read_bytes())["message"]["content"] == [{"type": "text", "text": "go"}]


def test_records_glued_on_one_line(tmp_path: Path) -> None:
    whole = b"".join(chained(["go"] * (MANY // 6)))
    path = stored(tmp_path, whole.replace(b"\n", b"") + b"\n")
    assert cured(repaired(path)) == ["glued-lines"]
    assert path.read_bytes() == whole


def test_circles(tmp_path: Path) -> None:
    pairs = ((record(f"a{at}", f"b{at}", "go"), record(f"b{at}", f"a{at}", "go")) for at in range(MANY // 10))
    path = stored(tmp_path, b"".join(one + other for one, other in pairs))
    assert cured(repaired(path, RELINK)) == ["cycle"] * (MANY // 10)


def test_a_lost_parent_below_which_all_hangs(tmp_path: Path) -> None:
    """Nothing that stands before it in the file may become its parent."""
    first, *others = chained(["go"] * MANY)
    path = stored(tmp_path, b"".join([*others, first.replace(b'"parentUuid": null', b'"parentUuid": "lost"')]))
    (left,) = [left.finding for left in repaired(path, RELINK).prognosis.left if left.finding.fault == "lost-parent"]
    assert (left.spot.line, left.obstacle) == (MANY, "nothing stands before it")


@pytest.mark.parametrize("is_apart", [True, False])
def test_pictures_under_one_id(tmp_path: Path, is_apart: bool) -> None:
    """Servers give every call the same id; still each picture is itself, and leaves its own file."""
    held = [result(at) for at in range(MANY // 10)]
    contents = held if is_apart else [list(chain.from_iterable(held))]
    call = [{"type": "tool_use", "id": "call_0", "name": "Read", "input": {}}]
    first = record("c", None, call).replace(b'"user"', b'"assistant"')
    path = stored(tmp_path, first + b"".join(chained(contents)).replace(b'"parentUuid": null', b'"parentUuid": "c"'))
    done = repaired(path, options(writing=DRY))
    assert cured(done) == ["undecodable-image"] * len(held)
    assert {len(treated.steps) for treated in done.prognosis.treated} == {1}
    assert len(done.prognosis.assets) == len(held)
