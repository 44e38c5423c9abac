"""Sessions with more images than a request may have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.model import MediaKind
from sessionkit.core.pdf import count_pages
from sessionkit.faults.base import Fault, Finding, Severity, Stage
from sessionkit.faults.judging import Remedy, is_judged, is_warning, weighed
from sessionkit.faults.note import over_count
from sessionkit.faults.originals import held_bytes
from sessionkit.faults.remedies import first_of, leaving

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.faults.base import Choices, Cure, Spot
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit

_HIDDEN_BY_CLIENT: Final = frozenset({"claude-code"})
"""Formats whose agent leaves the oldest images out by itself."""


class TooManyImages(Fault):
    """More images than a request may have."""

    id = "too-many-images"
    stage = Stage.COUNT
    page = """\
too-many-images: more images than a request may have

Rule
  Anthropic takes 100 images and pages of PDFs in a request, and 600 with the
  larger models (--max-images 600). OpenAI takes 1,500, Gemini 3,600. All
  images of the conversation count, those of earlier turns too.

What you see
  Too much media: 0 document pages + 102 images > 100
  too many images and documents: 101 + 0 > 100
  Pi is refused with every turn. Claude Code leaves the oldest ones out of the
  request by itself and says nothing, so here it is only a note.

Cure
  The newest images stay, a tenth fewer than are allowed, so that work can go
  on. Each older one gives way to a short text, by which the model knows that
  there was a picture, and where it can be found.
  For Claude Code this is done with --only too-many-images.

What it loses
  The older pictures, from the context. They are kept in images/ beside the
  session."""

    def find(self, case: Case) -> Iterator[Finding]:
        shown = [exhibit for exhibit in case.gallery.live if is_judged(exhibit)]
        pages = {exhibit.spot: _pages(exhibit) for exhibit in shown}
        count, most = sum(pages.values()), case.profile.media
        if most is None or count <= most:
            return
        cause = f"{count} images and pages are sent, and {most} are allowed; this is one of the oldest"
        for exhibit in _oldest(shown, pages, count - (case.profile.kept or 0)):
            yield _told(case, exhibit, cause)

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        assert case.profile.media is not None
        reason = over_count(case.profile.media)
        return first_of(choices, lambda: leaving(case, case.exhibit(finding.spot), reason, choices))


def _pages(exhibit: Exhibit) -> int:
    """What a medium counts for: an image one, a document its pages."""
    if exhibit.media.kind is MediaKind.IMAGE:
        return 1
    data = held_bytes(exhibit)
    return count_pages(data) if data else 1


def _oldest(shown: Iterable[Exhibit], pages: dict[Spot, int], excess: int) -> Iterator[Exhibit]:
    for exhibit in shown:
        if excess <= 0:
            return
        excess -= pages[exhibit.spot]
        yield exhibit


def _told(case: Case, exhibit: Exhibit, cause: str) -> Finding:
    is_hidden = case.format in _HIDDEN_BY_CLIENT
    severity = Severity.HARMLESS if is_hidden else weighed(case, Severity.BRICKS)
    return Finding(
        TooManyImages.id,
        severity,
        exhibit.state,
        exhibit.spot,
        cause,
        Remedy.NOTE,
        option=TooManyImages.id if is_hidden or is_warning(case) else "",
        is_lossless=False,
        image=case.image(exhibit),
        twins=tuple(twin.spot for twin in case.gallery.twins(exhibit)),
        wire=case.way(exhibit),
    )
