"""Which lines get a look: all that could hold media, and few others."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessionkit.core.base64 import encode
from sessionkit.core.media.finder import find_sites, look_at
from sessionkit.core.media.triage import LONG, Candidate, Run, is_spelled_base64, long_runs, media_candidates, reference_candidates
from tests.pictures import picture

TINY = encode(picture("GIF", "P", (1, 1)))
URL = b"data:image/gif;base64," + TINY

TINY_SHAPES = [
    b'{"type":"image","data":"%b"}',
    b'{"type":"image","source":{"data":"%b"}}',
    b'{"type":"document","source":{"data":"%b"}}',
    b'{"source":{"type":"base64","data":"%b"}}',
    b'{"inlineData":{"data":"%b"}}',
    b'{"inline_data":{"data":"%b"}}',
    b'{"type":"media","data":"%b","mime_type":"image/gif"}',
    b'{"type":"image-data","data":"%b","mediaType":"image/gif"}',
    b'{"type":"file","data":"%b","mediaType":"image/gif"}',
    b'{"type":"file-data","data":"%b","source_type":"base64"}',
    b'{"type":"file","data":"%b","source_type":"other"}',
    b'{"file":{"base64":"%b"}}',
    b'{"type":"pdf","base64":"%b"}',
    b'{"base64":"%b","originalSize":1}',
    b'{"image":{"image_data":"%b"}}',
    b'{"image_data":"%b","media_type":"image/gif"}',
    b'{"type":"image_generation_call","result":"%b"}',
    b'{"type":"image_generation_end","result":"%b"}',
    b'{"format":"gif","source":{"bytes":"%b"}}',
    b'{"type":"image","image":"%b"}',
    b'{"images":["%b"]}',
    b'{"images":"%b"}',
    b'{"file":{"file_data":"%b"}}',
    b'{"filename":"a.gif","file_data":"%b"}',
]
URL_SHAPES = [b'{"a":"%b"}', b'["%b"]', b'{"a":[["%b"]]}']


def candidates(text: bytes) -> list[bytes]:
    data = bytearray(text)
    return [bytes(data[found.start : found.stop]) for found in media_candidates(data, len(data))]


def escape_letters(line: bytes) -> list[bytes]:
    """The line with each letter of a name or a type escaped, one at a time."""
    places = [place for place in range(len(line)) if line[place : place + 1].isalnum() and line[place - 5 : place + 30].count(b'"')]
    return [b"%b\\u%04x%b" % (line[:place], line[place], line[place + 1 :]) for place in places]


@pytest.mark.parametrize("shape", TINY_SHAPES)
def test_every_shape_is_seen_with_a_tiny_payload(shape: bytes) -> None:
    line = shape % TINY
    assert candidates(b"{}\n" + line + b"\n{}\n") == [line + b"\n"]
    assert has_site(line)


@pytest.mark.parametrize("shape", URL_SHAPES)
@pytest.mark.parametrize("start", [b"data:", b"DATA:", b"dAtA:", rb"\u0064ata:", rb"dat\u0061:", rb"data\u003a"])
def test_every_data_url_is_seen(shape: bytes, start: bytes) -> None:
    line = shape % (start + b";base64," + TINY)
    assert candidates(line) == [line]
    assert has_site(line)


@pytest.mark.parametrize("shape", TINY_SHAPES)
def test_escaped_letters_hide_no_site(shape: bytes) -> None:
    lines = [escaped % TINY for escaped in escape_letters(shape) if b"%b" in escaped]
    assert [line for line in lines if has_site(line)] == [line for line in lines if has_site(line) and candidates(line)]
    assert any(has_site(line) for line in lines)


def has_site(line: bytes) -> bool:
    data = bytearray(line)
    return bool(find_sites(look_at(data, Candidate(0, len(data), ()))))


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"message","content":"text"}',
        b'{"path":"/home/user/project/src/image.png"}',
        b'{"type":"text","text":"%b"}' % (b"word " * 1000),
        rb'{"output":"{\"type\":\"image\",\"data\":\"%b\"}"}' % (TINY * 40),
        b'{"signature":"%b"}' % (b"A" * 900),
        b'{"a":%b}' % (b"1" * 5000),
    ],
)
def test_other_lines_are_dismissed(line: bytes) -> None:
    assert candidates(line + b"\n") == []


def test_candidates_are_whole_lines_in_order() -> None:
    lines = [b"{}\n", b'{"a":"%b"}\n' % (b"A" * LONG), b"x\n", b'{"type":"image"}\n', b'{"images":["%b"]}\n' % (b"B" * 3000), b'"data:']
    assert candidates(b"".join(lines)) == [lines[1], *lines[3:]]


def test_a_candidate_has_the_runs_of_its_line() -> None:
    long = b'"%b"' % (b"A" * LONG)
    lines = [
        b"{}",
        b'{"type":"image","a":%b,"b":%b}' % (long, long),
        b'{"type":"image"}',
        b"[%b]" % long,
        b"[%b,1]" % long,
        b"{}",
        b"[%b" % long,
    ]
    data = bytearray(b"\n".join(lines))
    found = [(bytes(data[each.start : each.stop]).rstrip(), each.runs) for each in media_candidates(data, len(data))]
    assert [line for line, _ in found] == [line for line in lines if len(line) > len(b"{}")]
    assert [len(runs) for _, runs in found] == [line.count(long) for line, _ in found]
    assert all(data[run.start : run.stop] == long[1:-1] for _, runs in found for run in runs)


NAMES = (
    b"image images image_data image-data base64 inlineData inlinedata inline_Data inline_data bytes file_data media mediaType "
    b"document source_type"
).split()
LONGEST_NAME = 24
ESCAPED = [b"%b\\u00%c" % (b"a" * size, digit) for size in (0, 1, LONGEST_NAME, LONGEST_NAME + 1) for digit in b"01278f"]
OTHERS = [b"image_generation", b"\\u00", b"data:", b"DaTA:", b"Data", b"ta:", *(b"%c" % each for each in b'""" \\\n\xffi_:')]


def opens_a_shape(line: bytes) -> bool:
    """By a plain list of what may open one."""
    is_named = any(b'"%b"' % name in line for name in NAMES) or b'"image_generation' in line or b'"data:' in line.lower()
    return is_named or any(is_escaped_name(behind) for behind in line.split(b'"')[1:])


def is_escaped_name(text: bytes) -> bool:
    name, found, digit = text.partition(b"\\u00")
    letters = name.translate(None, b"_:;/-")
    is_name = len(name) <= LONGEST_NAME and (letters.isalnum() or not letters)
    return is_name and bool(found and digit) and digit[0] in b"234567"


@settings(max_examples=1000)
@given(st.lists(st.sampled_from([*NAMES, *ESCAPED, *OTHERS]), max_size=12).map(b"".join))
def test_a_line_is_seen_by_what_opens_a_shape_and_by_nothing_else(text: bytes) -> None:
    parts = text.split(b"\n")
    lines = [part + b"\n" for part in parts[:-1]] + parts[-1:]
    assert candidates(text) == [line for line in lines if opens_a_shape(line)]


@pytest.mark.parametrize("size", [LONG, LONG + 1, 2 * LONG, 5 * LONG])
def test_a_long_string_is_a_run_at_every_place(size: int) -> None:
    for shift in range(0, 1900, 7):
        data = bytearray(b"%b\n" % (b"-" * shift) + b'{"a":"%b"}\n' % (b"A" * size))
        assert list(long_runs(data, 0, len(data))) == [Run(shift + 7, shift + 7 + size, len(data), is_plain=True)]


@pytest.mark.parametrize("ending", [b"", b"=", b"==", rb"==\r\n", rb"\n", b"-_-_"])
def test_a_run_may_end_as_base64_does(ending: bytes) -> None:
    for shift in range(0, 950, 11):
        inside = b"A" * (LONG - len(ending)) + ending
        data = bytearray(b" " * shift + b'["%b"]' % inside)
        (run,) = long_runs(data, 0, len(data))
        assert bytes(data[run.start : run.stop]) == inside


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        (b'["%b"]' % (b"A" * (LONG - 1)), []),
        (b'["%b' % (b"A" * 5000), []),
        (b'%b"' % (b"A" * 5000), []),
        (b'["a",%b,"b"]' % (b"1" * 5000), []),
        (b'["a"]\n%b\n["b"]' % (b"A" * 5000), []),
        (b'["a\n%b"]' % (b"A" * 5000), []),
        (rb'["\"%b\""]' % (b"A" * 5000), []),
        (b'{"%b":1}' % (b"A" * LONG), [(2, 2 + LONG, False)]),
        (b'{"%b" :1}' % (b"A" * LONG), [(2, 2 + LONG, False)]),
        (rb'["%b\/%b"]' % (b"A" * 500, b"A" * 498), [(2, 2 + LONG, False)]),
        (rb'["see \"%b"]' % (b"A" * LONG), [(8, 8 + LONG, True)]),
    ],
    ids=[
        "short",
        "torn",
        "no start",
        "number",
        "lines",
        "torn line",
        "quoted",
        "name",
        "name, space",
        "escaped",
        "behind an escaped quote",
    ],
)
def test_only_the_inside_of_a_string_is_a_run(text: bytes, runs: list[tuple[int, int, bool]]) -> None:
    assert [(run.start, run.stop, run.is_plain) for run in long_runs(bytearray(text), 0, len(text))] == runs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", True),
        (b"AZaz09+/", True),
        (b"AA==", True),
        (b"-_A", True),
        (rb"A\/A\u002b\n", True),
        (rb"AA==\r\n", True),
        (b"AA===", False),
        (b"AA==AA", False),
        (b"A A", False),
        (b"A.", False),
        (b"A\n", False),
        (b"data:A", False),
    ],
)
def test_spellings_of_base64(text: bytes, expected: bool) -> None:
    assert bool(is_spelled_base64(text)) is expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'{"asset_path":0}', True),
        (b'{"assetPath":0}', True),
        (rb'{"a":"see asset_path"}', False),
        (b'{"a":"asset"}', True),
        (b"{}", False),
    ],
)
def test_reference_candidates(line: bytes, expected: bool) -> None:
    assert bool(list(reference_candidates(bytearray(line), len(line)))) is expected
