"""What is read of a session before its format is known, however its beginning looks."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from sessionkit.formats import read_head

if TYPE_CHECKING:
    from pathlib import Path

A, B = b'{"n":1}', b'{"n":2}'
BOTH = ({"n": 1}, {"n": 2})
MIB = 1 << 20


@pytest.mark.parametrize(
    "raw",
    [
        A + b"\n" + B + b"\n",
        A + b"\n" + B,
        A + b"\r\n" + B + b"\r\n",
        b"\xef\xbb\xbf" + A + b"\n" + B,
        b"\0\0\0" + A + b"\n" + B,
        A + b"\n" + b"\0" * 5000 + b"\n" + b"\0" * 5000 + B,
        b"\n  \n\t\n" + A + b"\n\n" + B,
        A + B,
        A + b" \0" + B,
        b'{"torn":"a\n' + A + b"\n" + B,
        b"no JSON\n" + A + b"\nnull\n[]\n7\n" + B,
        A + b"\n" + B + b'\n{"torn":"iVBORw0',
        A + b"\n" + b"[" * 100_000 + b"\n" + B,
    ],
    ids=[
        "lines",
        "no last newline",
        "CRLF",
        "BOM",
        "NULs first",
        "NULs between",
        "blank lines",
        "glued",
        "glued with NULs",
        "torn first line",
        "not objects",
        "torn last line",
        "deep nesting",
    ],
)
def test_objects_of_an_odd_beginning(raw: bytes) -> None:
    assert read_head(raw).objects == BOTH


@pytest.mark.parametrize(
    ("raw", "document"),
    [
        (A, {"n": 1}),
        (b"\xef\xbb\xbf\n" + A + b"\n\n", {"n": 1}),
        (b'{\n  "a": [\n    {}\n  ]\n}\n', {"a": [{}]}),
        (b"[\n  {},\n  {}\n]", [{}, {}]),
        (A + b"\n" + B, None),
        (A + b'\n{"torn', None),
        (b"", None),
    ],
)
def test_document_is_the_value_of_a_file_with_one(raw: bytes, document: object) -> None:
    assert read_head(raw).document == document


@pytest.mark.parametrize(
    "value",
    [b'"\\ud83d"', b"NaN", b"1" * 400, b'"\xff"'],
    ids=["lone surrogate", "NaN", "huge integer", "invalid UTF-8"],
)
def test_values_that_strict_parsers_refuse(value: bytes) -> None:
    assert len(read_head(b'{"v":' + value + b"}\n" + A).objects) == 2


def test_twenty_objects_are_enough() -> None:
    assert len(read_head((A + b"\n") * 21).objects) == 20


def test_first_object_of_nothing_is_empty() -> None:
    assert read_head(b"").first == {}


@pytest.mark.parametrize(
    ("raw", "count"),
    [
        (A + b"\n" + b'{"image":"' + b"A" * 3 * MIB + b'"}\n' + B, 3),
        (A + b"\n" + b'{"image":"' + b"A" * 9 * MIB + b'"}\n' + B, 1),
        ((b'{"image":"' + b"A" * 3 * MIB + b'"}\n') * 5, 2),
    ],
    ids=["image behind the first MiB", "image that the read cuts", "8 MiB at most"],
)
def test_long_lines(raw: bytes, count: int) -> None:
    assert len(read_head(raw).objects) == count


@pytest.mark.parametrize("indent", [None, 2], ids=["one line", "pretty-printed"])
def test_document_that_the_read_cuts_is_closed_behind_its_last_member(indent: int | None) -> None:
    message = {"role": "user", "parts": [{"text": 'a "quoted", \\ [bracket'}, {"inlineData": {"data": "A" * 100_000}}]}
    head = read_head(json.dumps({"sessionId": "s", "messages": [message] * 100}, indent=indent).encode())
    assert head.first == head.document
    assert head.first["sessionId"] == "s"
    messages = head.first["messages"]
    assert isinstance(messages, list)
    assert messages[0] == message


def test_compressed_file(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl.gz"
    path.write_bytes(gzip.compress(A + b"\n" + B))
    assert read_head(path).objects == BOTH


@pytest.mark.parametrize("start", [b'{"a":"', b'{"a":"x'], ids=["cut behind a backslash", "cut before one"])
def test_string_of_quotes_that_the_read_cuts(start: bytes) -> None:
    assert read_head(start + rb"\"" * MIB).objects == ()
