"""Lines as they are: no byte is lost, whatever the sizes of reads; and JSON as agents write it."""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.jsonl import BlockReader, Line, loads, read_lines, split_values
from sessionkit.errors import UnreadableError
from tests.laws.pipeline import reading_by

if TYPE_CHECKING:
    from collections.abc import Iterator

LINES = st.lists(st.sampled_from([b"", b"a", b"\r", b"\0", b"long" * 30, b"\xe2\x80\xa8", b"\x85\x0b"]), max_size=12)
TEXTS = st.builds(lambda lines, end: b"\n".join(lines) + end, LINES, st.sampled_from([b"", b"\n"]))


class Drip:
    """A stream that gives a few bytes at a time, as pipes do."""

    def __init__(self, text: bytes, sizes: Iterator[int]) -> None:
        self._text = io.BytesIO(text)
        self._sizes = sizes

    def readinto(self, buffer: memoryview, /) -> int:
        with buffer[: next(self._sizes)] as part:
            return self._text.readinto(part)


def cycle(sizes: list[int]) -> Iterator[int]:
    while True:
        yield from sizes


@given(TEXTS, st.integers(1, 40), st.lists(st.integers(1, 50), min_size=1, max_size=4))
def test_blocks_are_the_whole_stream_cut_at_newlines(text: bytes, size: int, drips: list[int]) -> None:
    with reading_by(size):
        found = b""
        for block in BlockReader().blocks(Drip(text, cycle(drips))):
            assert (block.offset, block.line) == (len(found), found.count(b"\n") + 1)
            found += bytes(block.data[: block.stop])
            assert found == text[: len(found)]
            assert found.endswith(b"\n") or len(found) == len(text)
        assert found == text


@given(TEXTS, st.integers(1, 40))
def test_lines_are_numbered_and_placed(text: bytes, size: int) -> None:
    with reading_by(size):
        lines = list(read_lines(io.BytesIO(text)))
    parts = text.split(b"\n")
    raws = [part + b"\n" for part in parts[:-1]] + [parts[-1]] * bool(parts[-1])
    assert lines == [Line(raw, number, len(b"".join(raws[: number - 1]))) for number, raw in enumerate(raws, 1)]


@pytest.mark.parametrize("count", [0, 1, 999, 1000, 1001, 5000])
def test_line_number_of_a_place(count: int) -> None:
    text = b"x\n" * count + b"end"
    block = next(BlockReader().blocks(io.BytesIO(text)))
    assert block.line_at(0) == 1
    assert block.line_at(2 * count) == count + 1
    assert block.line_at(2 * count + 1) == count + 1


def test_reader_is_used_again() -> None:
    reader = BlockReader()
    with reading_by(4):
        texts = [b"first line that is long\nsecond", b"", b"x\n"]
        assert [b"".join(bytes(block.data[: block.stop]) for block in reader.blocks(io.BytesIO(text))) for text in texts] == texts


def test_a_longer_line_is_read_while_somebody_looks_at_the_buffer() -> None:
    text = b"a\n" + b"b" * 1000 + b"\nc"
    with reading_by(4):
        blocks = BlockReader().blocks(io.BytesIO(text))
        first = next(blocks)
        with memoryview(first.data)[: first.stop] as view:
            assert bytes(view) + b"".join(bytes(block.data[: block.stop]) for block in blocks) == text


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b'{"a":1}', {"a": 1}),
        (rb'"\ud83d"', "\ud83d"),
        (b'"\xff"', "\udcff"),
        (b"[NaN]", [math.nan]),
        (b"-Infinity", -math.inf),
        (b'{"a":1,"a":2}', {"a": 2}),
        (b"123456789012345678901234567890", 123456789012345678901234567890),
        (b"[" * 900 + b"]" * 900, None),
    ],
)
def test_loads_takes_what_agents_write(raw: bytes, value: object) -> None:
    assert value is None or repr(loads(raw)) == repr(value) or loads(raw) == pytest.approx(value)


@pytest.mark.parametrize("raw", [b"", b"{", b"{'a':1}", b"[1,]", b"1 2", b"[" * 200_000, b'{"a":' * 200_000], ids=lambda raw: repr(raw[:8]))
def test_loads_refuses_the_rest(raw: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  each says something of its own
        loads(raw)


@pytest.mark.parametrize(
    ("raw", "values"),
    [
        (b"", []),
        (b" \r\n", []),
        (b"\0\0\0\n", []),
        (b"\xef\xbb\xbf{}\n", [{}]),
        (b"\0\0{}\r\n", [{}]),
        (b'{"a":1}{"b":2}\n', [{"a": 1}, {"b": 2}]),
        (b"{} {}\0\0{}", [{}, {}, {}]),
        (b"{}\xef\xbb\xbf{}", [{}, {}]),
        (b'1"a"[]null', [1, "a", [], None]),
        (b'"}{"', ["}{"]),
        (b'{"a":"\xff"}{}', [{"a": "\udcff"}, {}]),
    ],
)
def test_split_values(raw: bytes, values: list[object]) -> None:
    assert split_values(raw) == values


@pytest.mark.parametrize("raw", [b'{"a":1', b'{}{"a"', b"{} x", b'{"type":"mess{"type":"x"}', b"{}" + b"[" * 200_000])
def test_split_values_refuses_what_is_no_json(raw: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  each says something of its own
        split_values(raw)


def test_an_endless_line_is_an_error_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sessionkit.core.jsonl.LONGEST_LINE", 100)
    with reading_by(16), pytest.raises(UnreadableError, match="longer than"):
        list(BlockReader().blocks(io.BytesIO(bytes(500))))


def test_a_number_of_thousands_of_digits_is_a_number() -> None:
    assert loads(b'{"input":%s,"output":5}' % (b"9" * 5001)) == {"input": math.inf, "output": 5}
