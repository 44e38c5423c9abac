"""PDFs that are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.base64 import encode
from sessionkit.faults import fault_of
from sessionkit.faults.base import Choices, Severity
from sessionkit.faults.open import NO_OPTIONS, Options
from sessionkit.faults.profiles import Wish
from tests.faults.media_bases import HTML, PNG
from tests.faults.recipes.blocks import documented
from tests.faults.surgery import changed, done, value
from tests.faults.workshop import Session, opened

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.base import Finding

FAULT = fault_of("bad-document")
PDF = b"%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\n%%EOF\n"


def paged(pages: int) -> bytes:
    return b"%PDF-1.7\n" + b"<</Type/Page>>\n" * pages + b"%%EOF\n"


def found(session: Session, folder: Path, options: Options = NO_OPTIONS) -> list[Finding]:
    with opened(folder, session, options) as case:
        return list(FAULT.find(case))


DOCUMENTS = {
    # bytes: what is wrong with them, for the finding and for the note
    "a PDF": (PDF, None, None),
    "junk around": (b"\n" * 1000 + PDF + b"\0" * 5000, None, None),
    "junk before": (b"\n" * 1024 + PDF, "no %PDF- in its first 1024 bytes", "not a PDF"),
    "no end": (PDF[:-6], "no %%EOF in its last 1024 bytes", "truncated PDF"),
    "HTML": (HTML, "no %PDF- in its first 1024 bytes", "not a PDF"),
    "a picture": (PNG, "no %PDF- in its first 1024 bytes", "not a PDF"),
    "nothing": (b"", "no data", "empty"),
    "100 pages": (paged(100), None, None),
    "101 pages": (paged(101), "101 pages, and 100 are allowed", "over 100 pages"),
}


@pytest.mark.parametrize("row", DOCUMENTS.values(), ids=DOCUMENTS)
def test_documents(row: tuple[bytes, str | None, str | None], tmp_path: Path) -> None:
    data, cause, reason = row
    session = documented(data)
    with opened(tmp_path, session) as case:
        findings = list(FAULT.find(case))
        after = done(case, *(FAULT.cure(case, finding, Choices()) for finding in findings))
    assert [finding.cause for finding in findings] == ([f"its PDF has {cause}"] if cause else [])
    if reason:
        note = str(value(after, 10, "/message/content/0/text"))
        assert note.startswith(f"[document removed: {reason}")
        assert value(after, 9, "/toolUseResult/file/base64") == ""
        assert changed(session, after) == ({9, 10} if data else {10})
        assert found(after, tmp_path) == []


@pytest.mark.parametrize(("size", "causes"), [(0, []), (1, ["its PDF has 32,000,001 bytes, and 32,000,000 are allowed"])])
def test_more_than_32_megabytes(size: int, causes: list[str], tmp_path: Path) -> None:
    mark, text = encode(PDF), encode(PDF + bytes(32_000_000 - len(PDF) + size))
    lines = documented(PDF).lines
    session = Session((*lines[:9], lines[9].replace(mark, text), *lines[10:]))
    assert [finding.cause for finding in found(session, tmp_path)] == causes


def test_larger_models_take_more_pages(tmp_path: Path) -> None:
    assert found(documented(paged(600)), tmp_path, Options(wish=Wish(media=600))) == []


def test_a_healthy_copy_on_the_line_before(tmp_path: Path) -> None:
    good = documented(PDF)
    session = good.with_value(10, "/message/content/0/source/data", encode(HTML).decode())
    with opened(tmp_path, session) as case:
        (finding,) = FAULT.find(case)
        assert (finding.severity, finding.cure) == (Severity.BRICKS, "bytes of its twin")
        assert done(case, FAULT.cure(case, finding, Choices())).content == good.content


def test_documents_of_text_are_none_of_its_business(tmp_path: Path) -> None:
    source = {"type": "text", "media_type": "text/plain", "data": "Hello."}
    assert found(documented(PDF).with_value(10, "/message/content/0/source", source), tmp_path) == []
