"""Lines of which something cannot be read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

import pytest

from sessionkit.core.entries import Defect, Entry, read_entries
from sessionkit.core.jsonl import TooDeepError, loads, split_values
from sessionkit.core.media.triage import LONG
from sessionkit.core.slices import Slice
from sessionkit.core.streams import open_source
from tests.providers.bodies import encoded

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.entries import JsonObject

DEEP = b"[" * 3000 + b"]" * 3000
PICTURE = b'"data:image/png;base64,%b"' % encoded(b"\x89PNG\r\n\x1a\n" + bytes(3000)).encode()


@pytest.mark.parametrize(
    "line", [DEEP, b'{"a":%b}' % DEEP, b'{"a":%b,"b":%b}' % (DEEP, PICTURE)], ids=["a list", "an object", "with a picture"]
)
def test_a_line_that_is_nested_too_deep_is_told(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a":1}\n%b\n{"b":2}\n' % line)
    with open_source(path) as stream:
        found = list(read_entries(stream))
    assert found == [Entry({"a": 1}, 1), Defect(2, "nested too deep: about a thousand levels are read"), Entry({"b": 2}, 3)]


def test_the_whole_of_glued_values_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a":1}{"b":%b}{"c":3}\n' % DEEP)
    with open_source(path) as stream:
        assert [type(found) for found in read_entries(stream)] == [Entry, Defect, Entry]


def test_depth_is_no_broken_json() -> None:
    for read in (loads, split_values):
        with pytest.raises(TooDeepError):
            read(DEEP)


@pytest.mark.parametrize("size", [LONG // 4 * 3, 10 * LONG], ids=["just long", "far longer"])
def test_long_media_stay_in_the_file(tmp_path: Path, size: int) -> None:
    block = {"type": "image", "data": encoded(b"\x89PNG\r\n\x1a\n" + bytes(size - 8))}
    session = [[], [block], [], [block, block, block]]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps({"content": content}) for content in session))
    with open_source(path) as stream:
        found = [cast("list[JsonObject]", entry.value["content"]) for entry in read_entries(stream) if isinstance(entry, Entry)]
    assert [[type(block["data"]) for block in content] for content in found] == [[], [Slice], [], [Slice] * 3]
    assert json.loads(json.dumps(found, default=Slice.read)) == session
