"""Images with too much base64."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import MediaKind
from sessionkit.faults.base import Consent, Stage
from sessionkit.faults.judging import Charge, MediaFault, Remedy
from sessionkit.faults.note import over_length
from sessionkit.faults.profiles import Rule
from sessionkit.faults.remedies import first_of, noted, smaller

if TYPE_CHECKING:
    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit


class ImageTooLarge(MediaFault):
    """An image of more than 5 MiB."""

    id = "image-too-large"
    stage = Stage.SIZE
    rule = Rule.LENGTH
    warned = Consent.ASKED
    page = """\
image-too-large: an image of more than 5 MiB

Rule
  An image may take 5,242,880 characters of base64, which are 3,932,160 bytes
  of the file. Anthropic's own host takes twice as much since the middle of
  2026, other clouds do not. Claude Code checks this by itself, on every host,
  before it asks anybody; so --direct does not change it there.

What you see
  Claude Code: Image base64 size (5.9MB) exceeds API limit (5MB). Please
    resize the image before sending.
  Anthropic:   ...: image exceeds 5 MB maximum: 5316852 bytes > 5242880 bytes
  Claude Code sends nothing any more; /compact works and costs the context.
  Pi is refused with every turn.

Cure
  The image is made smaller, first by another encoding, then by fewer pixels,
  until every vendor takes it, and a line behind it tells the model how its
  coordinates belong to the original. With --no-resize, or if nothing helps,
  a short text takes its place.

What it loses
  Sharpness, and pixels if it must. The original is kept in images/ beside
  the session. A copy under toolUseResult is never sent; one that is too
  large there alone does no harm."""

    def breaks(self, case: Case, exhibit: Exhibit) -> bool:
        limit = case.profile.length
        return limit is not None and exhibit.media.kind is MediaKind.IMAGE and case.base64_length(exhibit) > limit

    def charge(self, case: Case, exhibit: Exhibit) -> Charge:
        length = case.base64_length(exhibit)
        return Charge(f"it takes {length:,} characters of base64, and {case.profile.length:,} are allowed", Remedy.SMALLER)

    def mend(self, case: Case, exhibit: Exhibit, choices: Choices) -> Cure:
        assert case.profile.length is not None
        reason = over_length(case.profile.length)
        return first_of(choices, lambda: smaller(case, exhibit, choices), lambda: noted(case, exhibit, reason, choices))
