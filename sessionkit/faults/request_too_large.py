"""Sessions whose next request has too many bytes."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from sessionkit.core.model import Stored
from sessionkit.faults.base import Fault, Finding, Severity, Spot, Stage, State
from sessionkit.faults.judging import Remedy, is_judged, is_warning, weighed
from sessionkit.faults.note import over_request
from sessionkit.faults.remedies import first_of, leaving

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit

_CARRIERS: Final = 5
"""The newest lines that hold images are left alone."""
_NOTE: Final = 200
"""About how many bytes a note takes."""
_OBSTACLE: Final = f"the rest is text, and images on the newest {_CARRIERS} lines that hold any: compact the session in its agent"
_SEVERITIES: Final = MappingProxyType({"claude-code": Severity.DEGRADES, "pi": Severity.DEGRADES})


class RequestTooLarge(Fault):
    """A request that is too large because of its images."""

    id = "request-too-large"
    stage = Stage.REQUEST
    page = """\
request-too-large: a request that is too large because of its images

Rule
  All images of the conversation are sent again with every turn, and a request
  may have 32 MB at Anthropic, 20 on Bedrock, 30 on Vertex, 64 MiB at Codex'
  own backend. The number of tokens says nothing about this: a session can be
  nearly empty and too large.

What you see
  413: Request exceeds the maximum size
  Request too large (max 32MB). Double press esc to go back and try with a
  smaller file.
  Claude Code and Pi then compact the conversation, and the context is lost.

Cure
  The largest images give way to short texts until a tenth of the limit is
  free; among equal ones the oldest goes first. The five newest lines with
  images are never touched. The plan lists every image that goes.

What it loses
  Those pictures, from the context. They are kept in images/ beside the
  session, where the texts say, and the model can read them again."""

    def find(self, case: Case) -> Iterator[Finding]:
        most = case.profile.request
        if most is None or case.lines.size + _stored(case) <= most:  # the file holds all that is sent, and more
            return
        size = case.wire.size + _stored(case)
        if size <= most:
            return
        cause = f"the request has {size:,} bytes, and {most:,} are allowed"
        gone = list(_in_the_way(case, size - (case.profile.request_target or 0)))
        for exhibit in sorted(gone, key=lambda exhibit: (exhibit.line, exhibit.block)):
            yield _told(case, exhibit, cause)
        if size - sum(map(case.base64_length, gone)) > most:
            yield Finding(self.id, _severity(case), State.LIVE, Spot(case.lines.count), cause, obstacle=_OBSTACLE)

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        assert case.profile.request is not None
        reason = over_request(case.profile.request)
        return first_of(choices, lambda: leaving(case, case.exhibit(finding.spot), reason, choices))


def _stored(case: Case) -> int:
    """Characters of base64 of what is sent from the store; the size of the request leaves them out."""
    return sum(case.base64_length(exhibit) for exhibit in case.gallery.live if isinstance(exhibit.media.source, Stored))


def _in_the_way(case: Case, excess: int) -> Iterator[Exhibit]:
    """Choose what must go so that so many bytes do: the largest first, equal ones oldest first."""
    for exhibit in sorted(_movable(case), key=case.base64_length, reverse=True):
        if excess <= 0:
            return
        excess -= case.base64_length(exhibit) - _NOTE
        yield exhibit


def _movable(case: Case) -> Sequence[Exhibit]:
    shown = [exhibit for exhibit in case.gallery.live if is_judged(exhibit) and case.base64_length(exhibit) > _NOTE]
    newest = set(sorted({exhibit.line for exhibit in shown})[-_CARRIERS:])
    return [exhibit for exhibit in shown if exhibit.line not in newest]


def _severity(case: Case) -> Severity:
    return weighed(case, _SEVERITIES.get(case.format, Severity.BRICKS))


def _told(case: Case, exhibit: Exhibit, cause: str) -> Finding:
    return Finding(
        RequestTooLarge.id,
        _severity(case),
        exhibit.state,
        exhibit.spot,
        f"{cause}; this is one of the largest images",
        Remedy.NOTE,
        option=RequestTooLarge.id if is_warning(case) else "",
        is_lossless=False,
        image=case.image(exhibit),
        twins=tuple(twin.spot for twin in case.gallery.twins(exhibit)),
        wire=case.way(exhibit),
        bytes_won=case.base64_length(exhibit),
    )
