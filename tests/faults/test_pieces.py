"""What is told of a raw line that is not one value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.faults.pieces import pieces_of

CLAUDE = b'{"parentUuid":null,"type":"user","sessionId":"s","message":{"content":[{"type":"text","text":"a"}]}}'
PI = b'{"type":"message","id":"a1","parentId":null,"message":{"role":"user","content":[{"type":"toolCall","id":"c","name":"n"}]}}'
CODEX = b'{"timestamp":"t","type":"response_item","payload":{"type":"message","content":[]}}'
GEMINI = b'{"$set":{"messages":[{"id":"m","timestamp":"t","type":"user","content":"a"}]}}'
QWEN = b'{"uuid":"u","parentUuid":null,"sessionId":"s","type":"user","message":{"parts":[{"text":"a"}]}}'
RECORDS = {"claude-code": CLAUDE, "pi": PI, "codex": CODEX, "gemini-cli": GEMINI, "qwen-code": QWEN}


def shown(raw: bytes, format_: str) -> list[tuple[bytes, bool]]:
    return [(raw[piece.start : piece.stop], piece.is_whole) for piece in pieces_of(raw, format_)]


@pytest.mark.parametrize(("format_", "record"), RECORDS.items())
def test_a_stub_ends_where_a_record_begins(format_: str, record: bytes) -> None:
    for size in range(1, len(record)):
        stub = record[:size]
        assert shown(stub + record + b"\n", format_) == [(stub, False), (record, True)], stub


@pytest.mark.parametrize(("format_", "record"), RECORDS.items())
def test_an_end_is_torn_wherever_it_is_cut(format_: str, record: bytes) -> None:
    """Objects within a record are not taken for records, even if the line ends behind one."""
    for size in range(1, len(record)):
        assert shown(record[:size], format_) == [(record[:size], False)]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (CLAUDE + b"\n", [(CLAUDE, True)]),
        (CLAUDE + CLAUDE, [(CLAUDE, True), (CLAUDE, True)]),
        (b"\xef\xbb\xbf" + CLAUDE + b" \0" + CLAUDE + b"\r\n", [(CLAUDE, True), (CLAUDE, True)]),
        (CLAUDE + CLAUDE[:9] + CLAUDE, [(CLAUDE, True), (CLAUDE[:9], False), (CLAUDE, True)]),
        (CLAUDE[:9] + b"\0\0" + CLAUDE, [(CLAUDE[:9], False), (CLAUDE, True)]),
        (CLAUDE[:9] + CLAUDE + CLAUDE, [(CLAUDE[:9], False), (CLAUDE, True), (CLAUDE, True)]),
        (CLAUDE + CLAUDE[:-1], [(CLAUDE, True), (CLAUDE[:-1], False)]),
        (b"[1]{}", [(b"[1]", True), (b"{}", True)]),
        (b"12 " + CLAUDE, [(b"12", False), (CLAUDE, True)]),
        (b"caf\xc3\xa9 \xff" + CLAUDE, [(b"caf\xc3\xa9 \xff", False), (CLAUDE, True)]),
        (b" \0\n", []),
        (b"", []),
    ],
)
def test_pieces(raw: bytes, expected: list[tuple[bytes, bool]]) -> None:
    assert shown(raw, "claude-code") == expected


@pytest.mark.parametrize(("format_", "record"), [*RECORDS.items(), ("plain", b'{"role":"user","content":"a"}')])
def test_a_comma_belongs_to_no_record(format_: str, record: bytes) -> None:
    assert shown(b"," + record + b", " + record + b",\n", format_) == [
        (b",", False),
        (record, True),
        (b",", False),
        (record, True),
        (b",", False),
    ]
    assert shown(b',{"type":"text"}]}}', format_) == [(b',{"type":"text"}]}}', False)]


def test_what_is_nested_too_deep_is_left_alone() -> None:
    assert pieces_of(b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "pi") == ()


@given(st.binary(max_size=60), st.sampled_from(sorted(RECORDS)), st.lists(st.integers(0, 40), max_size=3))
def test_pieces_cover_all_but_padding(noise: bytes, format_: str, cuts: list[int]) -> None:
    raw = noise.replace(b"\n", b"") + b"".join(RECORDS[format_][cut:] + RECORDS[format_][:cut] for cut in cuts)
    position = 0
    for piece in pieces_of(raw, format_):
        assert piece.start >= position
        assert not raw[position : piece.start].strip(b"\0 \t\r\n\xef\xbb\xbf")
        position = piece.stop
    assert not raw[position:].strip(b"\0 \t\r\n\xef\xbb\xbf")
