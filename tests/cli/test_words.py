"""Sizes, shares and safe text."""

from __future__ import annotations

import base64
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.cli.printable import brief, cells, fold, printable, readable, shorten, without_base64
from sessionkit.cli.sizes import count, parse_size, share, size


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (1234, "1.2 kB"),
        (99_499, "99 kB"),
        (999_600, "1.0 MB"),
        (2_600_000_000, "2.6 GB"),
        (10**18, "1000 PB"),
        (-1500, "-1.5 kB"),
    ],
)
def test_size(number: int, shown: str) -> None:
    assert size(number) == shown


@pytest.mark.parametrize(
    ("part", "whole", "shown"), [(0, 0, "-"), (1, 4, "25.0%"), (9999, 10_000, "99.9%"), (4, 4, "100.0%"), (-1, 100, "-1.0%")]
)
def test_share(part: int, whole: int, shown: str) -> None:
    assert share(part, whole) == shown


@pytest.mark.parametrize(("number", "shown"), [(1, "1 image"), (0, "0 images"), (2000, "2,000 images")])
def test_count(number: int, shown: str) -> None:
    assert count(number, "image") == shown


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("500", 500),
        ("64k", 64_000),
        ("64 kB", 64_000),
        ("64KiB", 65_536),
        ("1.5M", 1_500_000),
        ("2GiB", 2 << 30),
        ("3 tb", 3 * 10**12),
        ("7B", 7),
    ],
)
def test_parse_size(text: str, number: int) -> None:
    assert parse_size(text) == number


@pytest.mark.parametrize("text", ["", "k", "1 x", "-1", "1e3", "1,000", "1_0", "٣"])
def test_no_size(text: str) -> None:
    with pytest.raises(ValueError, match="is not a size"):
        parse_size(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a b/c.jsonl", "a b/c.jsonl"),
        ("会話.jsonl", "会話.jsonl"),
        ("\x1b[31m", r"\x1b[31m"),
        ("a\nb\tc\x7f", r"a\nb\tc\x7f"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("\u2066x\u2069\u200f", r"\u2066x\u2069\u200f"),
        ("\x9b1m", r"\x9b1m"),
        ("\udcff", r"\udcff"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text())
def test_printable_is_printable_and_stays(text: str) -> None:
    assert printable(text).isprintable()
    assert printable(printable(text)) == printable(text)


@given(st.binary().filter(lambda path: b"\0" not in path))
def test_readable_is_utf_8(path: bytes) -> None:
    readable(os.fsdecode(path)).encode()


BASE64 = base64.b64encode(bytes(range(256)) * 2).decode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (BASE64, "[684 characters of base64]"),
        (f'{{"data":"{BASE64}"}}', '{"data":"[684 characters of base64]"}'),
        (BASE64[:64], "[64 characters of base64]"),
        (BASE64[:63], BASE64[:63]),
        (f"images/{'0123456789abcdef' * 4}.png", f"images/{'0123456789abcdef' * 4}.png"),
        ("/home/Jane/Projects2024/" * 4, "/home/Jane/Projects2024/" * 4),
        ("rollout-2026-01-31T12-00-00-0195d3e2-1111-7000-8000-abcdefabcdef.jsonl",) * 2,
    ],
)
def test_without_base64(text: str, shown: str) -> None:
    assert without_base64(text) == shown


@given(st.text(st.sampled_from("aB3/ \n"), max_size=3000))
def test_brief(text: str) -> None:
    shown = brief(text)
    assert shown.isprintable()
    assert len(shown) <= 1000
    assert all(len(word) <= 200 for word in shown.split(" "))


@given(st.text(), st.integers(4, 40))
def test_shorten_fits(text: str, width: int) -> None:
    shown = shorten(printable(text), width)
    assert cells(shown) <= width


@pytest.mark.parametrize(("text", "shown"), [("0123456789", "0123456789"), ("0123456789a", "012…56789a"), ("会話会話会話", "会…話会話")])
def test_shorten(text: str, shown: str) -> None:
    assert shorten(text, 10) == shown


@given(st.text(), st.integers(2, 40))
def test_fold_loses_nothing_but_spaces(text: str, width: int) -> None:
    lines = fold(printable(text), width)
    assert all(cells(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(printable(text).split())
