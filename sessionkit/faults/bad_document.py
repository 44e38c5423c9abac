"""PDFs that are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.model import MediaKind
from sessionkit.core.pdf import count_pages, frame_fault, has_head
from sessionkit.faults.base import Stage, Uncured
from sessionkit.faults.exhibits import Flaw, Form
from sessionkit.faults.judging import Charge, MediaFault, Remedy
from sessionkit.faults.note import EMPTY
from sessionkit.faults.originals import held_bytes
from sessionkit.faults.profiles import Rule
from sessionkit.faults.remedies import first_of, from_twin, healthy_twin, noted
from sessionkit.faults.spellings import Spelling, spelling_of

if TYPE_CHECKING:
    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit

_PDF: Final = "application/pdf"
_MOST_BYTES: Final = 32_000_000


class BadDocument(MediaFault):
    """A PDF that is none, or that is too large."""

    id = "bad-document"
    stage = Stage.BYTES
    rule = Rule.DECODES
    page = """\
bad-document: a PDF that is none, or that is too large

Rule
  A document block does not hold a PDF: %PDF- does not stand in its first
  1024 bytes, or %%EOF not in its last 1024, as after a download that broke
  off. Or it has more than 32 MB, or more pages than a request may have
  images: 100, with the larger models 600.

What you see
  The PDF specified was not valid.
  PDF too large. Please ...
  A maximum of 100 PDF pages may be provided
  Claude Code does not look at PDFs before it sends them, and no turn works
  any more.

Cure
  If the agent kept the same PDF a second time in good health, its bytes are
  put back. Otherwise a short text takes the place of the document, and the
  copy that the agent kept for its screen is emptied.

What it loses
  The document, from the context. It is kept in images/ beside the session,
  where the text says: the model may read it again from there, by parts."""

    def breaks(self, case: Case, exhibit: Exhibit) -> bool:
        return _is_meant(case, exhibit) and _wrong(case, exhibit) != ""

    def charge(self, case: Case, exhibit: Exhibit) -> Charge:
        return Charge(f"its PDF has {_wrong(case, exhibit)}", Remedy.TWIN if _has_healthy_twin(case, exhibit) else Remedy.NOTE)

    def mend(self, case: Case, exhibit: Exhibit, choices: Choices) -> Cure:
        return first_of(
            choices,
            lambda: from_twin(case, exhibit) if _has_healthy_twin(case, exhibit) else Uncured("it stands nowhere else in good health"),
            lambda: noted(case, exhibit, _reason(case, exhibit), choices),
        )


def _is_meant(case: Case, exhibit: Exhibit) -> bool:
    """Whether it is a document that goes to Anthropic, and not one of plain text."""
    is_document = exhibit.media.kind is MediaKind.DOCUMENT and exhibit.form in {Form.SOURCE, Form.FILE}
    return is_document and exhibit.flaw is Flaw.NONE and case.profile.is_of_anthropic and exhibit.media.media_type in {_PDF, None}


def _wrong(case: Case, exhibit: Exhibit) -> str:
    """Say what is wrong with it; empty if nothing is, or if it cannot be looked at."""
    if spelling_of(case, exhibit) is Spelling.EMPTY:
        return "no data"
    data = held_bytes(exhibit)
    if data is None:
        return ""
    if len(data) > _MOST_BYTES:
        return f"{len(data):,} bytes, and {_MOST_BYTES:,} are allowed"
    return frame_fault(data) or _pages_over(case, data)


def _has_healthy_twin(case: Case, exhibit: Exhibit) -> bool:
    twin = healthy_twin(case, exhibit)
    return twin is not None and not _wrong(case, twin)


def _pages_over(case: Case, data: bytes) -> str:
    pages, most = count_pages(data), case.profile.media
    return f"{pages} pages, and {most} are allowed" if most is not None and pages > most else ""


def _reason(case: Case, exhibit: Exhibit) -> str:
    data = held_bytes(exhibit)
    if not data:
        return EMPTY
    if len(data) > _MOST_BYTES:
        return f"over {_MOST_BYTES} bytes"
    if not frame_fault(data):
        return f"over {case.profile.media} pages"
    return "truncated PDF" if has_head(data) else "not a PDF"
