"""Results in JSON that are cut as bytes: all but what is cut stays as it was written."""

from __future__ import annotations

import tracemalloc

import pytest

from sessionkit.errors import UnreadableError
from sessionkit.ops.truncate import show, truncate, truncate_plain
from sessionkit.toolresult import Keep, Limits

FEW = Limits(lines=3)
LAST = Limits(lines=3, keep=Keep.TAIL)
NOTE = r"[Truncated: the last 6 of 10 bytes (3 of 5 lines) are left out.]"
LONG = r"1\n2\n3\n4\n5\n"

UNCHANGED = [
    b'"a"',
    b' [ {"text" : "\\u0061\\/" , "type":"text", "n": 1e5, "n": 12345678901234567890123 } ]\r\n',
    b'\xef\xbb\xbf{"type":"tool_result","content":"a"}',
    b'{"role":"tool","content":"\\ud83d"}\n{"role":"tool","content":null}\n',
    b'[{"type":"text","text":"1\\n2\\n3\\n4\\n"},{"type":"image","data":"aaaa","mimeType":"image/png"}]',
    b'["\xff", NaN]',
]

CUT = [
    (
        f'[ "{LONG}" , {{"type":"search_result","content":[ {{"type":"text","text":"a"}} ]}} ]',
        FEW,
        r'[ "1\n2\n[Truncated: the last 7 of 11 bytes (4 of 6 lines) are left out.]" ]',
    ),
    (
        f'{{"content":[ "a" , "b" ],"structuredContent":{{"text":"{LONG}"}}}}',
        LAST,
        r'{"content":[  ],"structuredContent":{"text":"[Truncated: the first 8 of 12 bytes (5 of 7 lines) are left out.]\n4\n5\n"}}',
    ),
    (f'"{LONG}"', FEW, rf'"1\n2\n{NOTE}"'),
    (
        f' {{ "content" : "{LONG}" , "n":1e5, "type":"tool_result" }}\n',
        FEW,
        rf' {{ "content" : "1\n2\n{NOTE}" , "n":1e5, "type":"tool_result" }}' + "\n",
    ),
    (f'{{"content":"a","content":"{LONG}"}}', FEW, rf'{{"content":"a","content":"1\n2\n{NOTE}"}}'),
    (
        f'[ {{"text":"{LONG}", "n":1E2}} , {{"x":0}} , "b" , "c" ]',
        FEW,
        r'[ {"text":"1\n2\n[Truncated: the last 8 of 12 bytes (5 of 7 lines) are left out.]", "n":1E2} , {"x":0} ]',
    ),
    (
        f'[ "a" , "b" , {{"x":0}} , {{"text":"{LONG}"}} ]',
        LAST,
        r'[ {"x":0} , {"text":"[Truncated: the first 8 of 12 bytes (5 of 7 lines) are left out.]\n4\n5\n"} ]',
    ),
    (f'{{"results":[{{"content":"{LONG}"}},{{"content":""}}]}}', FEW, rf'{{"results":[{{"content":"1\n2\n{NOTE}"}},{{"content":""}}]}}'),
    (f'"{LONG}"\n"a"\n"{LONG}"\n', FEW, rf'"1\n2\n{NOTE}"' + '\n"a"\n' + rf'"1\n2\n{NOTE}"' + "\n"),
    (
        r'"\ud83d\n\ud83d\ude00\n3\n4"',
        FEW,
        r'"\ud83d' + "\\n\N{GRINNING FACE}\\n[Truncated: the last 3 of 12 bytes (2 of 4 lines) are left out.]" + '"',
    ),
]


@pytest.mark.parametrize("raw", UNCHANGED)
@pytest.mark.parametrize("limits", [FEW, LAST])
def test_what_is_within_the_limits_stays_byte_for_byte(raw: bytes, limits: Limits) -> None:
    assert truncate(raw, limits) is raw


@pytest.mark.parametrize(("raw", "limits", "expected"), CUT)
def test_cuts_are_splices(raw: str, limits: Limits, expected: str) -> None:
    assert truncate(raw.encode(), limits).decode() == expected


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "standard input:1: no JSON: it is empty"),
        (b" \n", "standard input:1: no JSON: it is empty"),
        (b"make: done", "standard input:1: no JSON: unexpected 'm'"),
        (b'"a"\n["b"', "standard input:2: no JSON behind a whole value: the line ends in the middle of a value"),
        (b'"a"\nmake: done', "standard input:2: no JSON behind a whole value: unexpected 'm'"),
        (b'"a"\n5', "standard input:2: this is no result of a tool"),
        (b"null", "standard input:1: this is no result of a tool"),
        (b'{"a":1}', "standard input:1: this is no result of a tool"),
        (b"[" * 5000 + b"]" * 5000, "standard input:1: it is nested too deep"),
    ],
)
def test_what_cannot_be_cut(raw: bytes, said: str) -> None:
    for work in (truncate, show):
        with pytest.raises(UnreadableError) as caught:
            work(raw, FEW)
        assert str(caught.value).startswith(said)


TOLD = [
    (
        b'["1\\n2\\n3\\n4\\n",{"type":"image","data":"aaaa","mimeType":"image/png"}]',
        ["a result with an image, or another medium, stays whole: 8"],
    ),
    (b'{"content":[],"structuredContent":{"signature":"%b"}}' % (b"Ab1" * 20_000), ["60,000 bytes of a result stay that are no text"]),
    (b'{"tool_response":{"filenames":["a.py"%b]}}' % (b',"a.py"' * 20_000), ["80,004 bytes of a result stay that are no text"]),
    (b'["1\\n2\\n3\\n4\\n"]', []),
]


@pytest.mark.parametrize(("raw", "said"), TOLD, ids=range(len(TOLD)))
def test_what_stays_beyond_the_limits_is_told(raw: bytes, said: list[str]) -> None:
    told: list[str] = []
    truncate(raw, FEW, told.append)
    assert [line[: len(words)] for line, words in zip(told, said, strict=True)] == said


@pytest.mark.parametrize("wrapper", [b'{"tool_response":', b'{"type":"x","output":', b'{"content":', b'{"content":['])
def test_results_in_many_wrappers(wrapper: bytes) -> None:
    closing = (b"]}" if wrapper.endswith(b"[") else b"}") * 490
    raw = wrapper * 490 + b'"a"' + closing
    assert truncate(raw, FEW) == raw
    assert show(raw, FEW) == "a"


def test_the_view_of_several() -> None:
    assert show(b'"a"\n["b",{"type":"image","data":"aaaa","mimeType":"image/png"}]', FEW) == "a\nb"


def test_plain_text_with_bytes_that_are_no_utf_8() -> None:
    raw = b"\xff\n" * 9
    assert truncate_plain([raw], Limits(lines=9)) == raw
    assert truncate_plain([raw], FEW) == b"\xff\n\xff\n[Truncated: the last 14 of 18 bytes (7 of 9 lines) are left out.]\n"
    assert truncate(b'["' + b"\xff\\n" * 9 + b'"]', FEW).endswith(b'the last 14 of 18 bytes (7 of 9 lines) are left out.]"]')


def test_of_a_long_text_little_is_kept() -> None:
    pieces = (b"%d\n" % number * 1000 for number in range(9000))
    tracemalloc.start()
    cut = truncate_plain(pieces, LAST)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert cut == b"[Truncated: the first 43,889,990 of 43,890,000 bytes (8,999,998 of 9,000,000 lines) are left out.]\n8999\n8999\n"
    assert peak < 8 << 20
