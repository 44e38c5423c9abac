"""`sessionkit truncate`, as hooks in a shell use it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.running import Program

LINES = b"".join(b"%d\n" % number for number in range(1, 3001))

CASES = [
    ((), b'{"type":"tool_result", "content":"a"}\n', 0, r'\A{"type":"tool_result", "content":"a"}\n\Z', ""),
    (
        ("--max-lines", "2"),
        b'["1\\n2\\n3\\n"]',
        0,
        r'\A\["1\\n\[Truncated: the last 4 of 6 bytes \(2 of 3 lines\) are left out.\]"\]\Z',
        "",
    ),
    (
        ("--text",),
        LINES,
        0,
        r"\A1\n2\n.*\n1999\n\[Truncated: the last 5,005 of 13,893 bytes \(1,001 of 3,000 lines\) are left out.\]\n\Z",
        "",
    ),
    (("--text", "--keep", "tail"), LINES, 0, r"\A\[Truncated: the first 3,898 .*\]\n1002\n.*\n3000\n\Z", ""),
    (("--text",), b"", 0, r"\A\Z", ""),
    (("--text", "--max-bytes", "1k"), b"\xff" * 2000, 0, r"\[Truncated: ", ""),
    (
        ("--view", "event"),
        b'[{"type":"text","text":"a\\u001b[31m\\tb"},{"type":"image","data":"aaaa","mimeType":"image/png"}]',
        0,
        "\\Aa",
        "",
    ),
    ((), b"make: done\n", 3, r"\A\Z", "error: standard input:1: no JSON: unexpected 'm'\n  next: .*--text"),
    (("--max-bytes", "255"), b"[]", 2, r"\A\Z", "--max-bytes 255 has no room for the line that tells of a cut"),
    (("--max-lines", "1"), b"[]", 2, r"\A\Z", "1 is less than 2"),
    (("--keep", "middle"), b"[]", 2, r"\A\Z", "'middle' is not one of head, tail"),
    (("file.json",), b"[]", 2, r"\A\Z", "unexpected extra argument"),
]


@pytest.mark.parametrize("case", CASES)
def test_runs(program: Program, case: tuple[tuple[str, ...], bytes, int, str, str]) -> None:
    words, stdin, code, out, err = case
    ran = program("truncate", *words, stdin=stdin)
    assert ran.returncode == code, ran.stderr
    assert re.search(out, ran.stdout.decode(errors="replace"), re.DOTALL), ran.stdout
    assert re.search(err or r"\A\Z", ran.stderr.decode(), re.DOTALL | re.IGNORECASE), ran.stderr


def test_a_screen_gets_nothing_that_acts_on_it(program: Program) -> None:
    ran = program("truncate", "--view", "event", stdin=b'[{"type":"text","text":"a\\u001b[31m\\tb\\rc"}]')
    assert ran.stdout == b"a\\x1b[31m\tb\nc\n"


def test_what_it_takes_to_escape_is_within_the_limits(program: Program) -> None:
    ran = program("truncate", "--view", "event", "--max-bytes", "400", "--max-lines", "9", stdin=b'["%b"]' % (b"\\u0007\\r" * 150))
    assert len(ran.stdout) <= 400
    assert ran.stdout.count(b"\n") <= 9
