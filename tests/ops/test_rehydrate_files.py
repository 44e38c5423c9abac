from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import UnreadableError, UsageError
from sessionkit.ops.rehydrate.files import read_fields, read_json, read_text
from sessionkit.providers.tools import read_tools
from sessionkit.providers.vision import read_catalog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sessionkit.core.model import Json


def test_texts(tmp_path: Path) -> None:
    path = tmp_path / "system.md"
    path.write_bytes("\ufeffBe brief — always.\r\n".encode())
    assert read_text(path) == "Be brief — always.\r\n"


def test_integers_keep_their_digits(tmp_path: Path) -> None:
    path = tmp_path / "fields.json"
    path.write_text('\ufeff{"seed": 36893488147419103233, "top_p": 1.0}')
    assert read_json(path, read_fields) == {"seed": 2**65 + 1, "top_p": 1.0}


BAD: list[tuple[str, bytes, Callable[[Json], object], str]] = [
    ("not closed", b'{"a":\n\n', read_fields, ":3: not a JSON document: expecting value, column 1"),
    ("two documents", b'{"a":1}\n{"b":2}\n', read_fields, ":2: not a JSON document: extra data"),
    ("not a number", b'{"a":NaN}', read_fields, " at /a: not a JSON document: a number that JSON does not know"),
    ("too large a number", b'{"a":[1,-1e400]}', read_tools, " at /a/1: not a JSON document: a number that JSON does not know"),
    ("half a pair", b'{"a":1,"b":["\\udfff"]}', read_fields, " at /b/0: half of a surrogate pair is no character"),
    ("half a pair in a name", b'{"a":{"\\ud83d":1}}', read_fields, " at /a: half of a surrogate pair is no character"),
    ("a bomb", b"[" * 200_000, read_fields, ": not a JSON document: nested too deep"),
    ("thousands of digits", b"1" * 5000, read_fields, ": not a JSON document: a number has thousands of digits"),
    ("no text", b'{"a":1}\n\xff', read_fields, ":2: not a text in UTF-8: invalid start byte"),
    ("no object", b"[1]", read_fields, ": it does not say what it should: it is no object"),
    ("no catalogue", b'{"models": []}', read_catalog, ': it does not say what it should: neither {"providers"'),
    ("no tool", b'[{"name": "a"}, {"nom": "b"}]', read_tools, ": no definition of a tool at /1: it has no name"),
]


@pytest.mark.parametrize(("data", "read", "said"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_files_are_named_with_the_place(tmp_path: Path, data: bytes, read: Callable[[Json], object], said: str) -> None:
    path = tmp_path / "given.json"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=re.escape(f"{path}{said}")) as refused:
        read_json(path, read)
    assert refused.value.hint


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_files_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnreadableError, match="cannot be read"):
        read_json(tmp_path / name, read_fields)
