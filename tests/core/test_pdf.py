"""The frame and the pages of a PDF."""

from __future__ import annotations

import zlib

import pytest

from sessionkit.core.pdf import count_pages, frame_fault, has_head

HEAD, END = b"%PDF-1.7\n", b"%%EOF\n"
PAGE = b"<</Type /Page /Parent 1 0 R>>\n"


def packed(objects: bytes) -> bytes:
    data = zlib.compress(objects)
    return b"5 0 obj\n<</Type/ObjStm/N 2/First 8/Length %d>>\nstream\r\n" % len(data) + data + b"\nendstream\nendobj\n"


@pytest.mark.parametrize(
    ("data", "pages"),
    [
        (HEAD + END, 1),
        (HEAD + PAGE + END, 1),
        (HEAD + PAGE * 3 + END, 3),
        (HEAD + b"<</Type/Pages/Count 3>>" + PAGE * 2 + END, 2),
        (HEAD + PAGE + packed(PAGE * 4) + packed(PAGE) + END, 6),
        (HEAD + b"<</Type/ObjStm>>\nstream\nno zlib\nendstream\n" + PAGE * 2 + END, 2),
        (HEAD + packed(PAGE * 4)[:-30], 1),
        (b"", 1),
    ],
)
def test_pages(data: bytes, pages: int) -> None:
    assert count_pages(data) == pages


def test_what_unpacks_without_end_is_not_unpacked_to_the_end() -> None:
    assert count_pages(HEAD + packed(bytes(100_000_000) + PAGE)) == 1


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (HEAD + END, ""),
        (b"x" * 1019 + HEAD + END, ""),
        (b"x" * 1024 + HEAD + END, "no %PDF- in its first 1024 bytes"),
        (HEAD + END + b"x" * 1018, ""),
        (HEAD + END + b"x" * 1024, "no %%EOF in its last 1024 bytes"),
        (HEAD + END + b"\0" * 9000, ""),
        (b"", "no %PDF- in its first 1024 bytes"),
    ],
)
def test_frame(data: bytes, fault: str) -> None:
    assert frame_fault(data) == fault
    assert has_head(data) == ("%PDF-" not in fault)
