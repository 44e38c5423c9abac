"""Images with too many pixels: a side over what is taken at all, or over what is taken among many images."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from sessionkit.core.model import MediaKind
from sessionkit.core.pictures import Facts
from sessionkit.faults.base import Consent, Severity, Stage
from sessionkit.faults.judging import Charge, MediaFault, Remedy
from sessionkit.faults.note import over_side, over_side_among
from sessionkit.faults.profiles import Rule
from sessionkit.faults.remedies import first_of, noted, smaller

if TYPE_CHECKING:
    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit


class ManyImagePixels(MediaFault):
    """A side over 2000 pixels among more than 20 images."""

    id = "many-image-pixels"
    stage = Stage.PIXELS
    rule = Rule.SIDE
    severities = MappingProxyType({"claude-code": Severity.DEGRADES})
    warned = Consent.ASKED
    page = """\
many-image-pixels: a side over 2000 pixels among more than 20 images

Rule
  A request to Anthropic that holds more than 20 images, those of earlier
  turns and of tools too, may hold none with a side over 2000 pixels; one of
  exactly 2000 passes. So a long session breaks with its 21st image, though
  the one at fault was sent many times before. Agents shrink what they read
  themselves, but not what an MCP server sends or what you paste.

What you see
  ...image.source.base64.data: At least one of the image dimensions exceed
  max allowed size for many-image requests: 2000 pixels
  Claude Code: An image in the conversation exceeds the dimension limit for
  many-image requests (2000px). Start a new session with fewer images.
  Pi is refused with every turn. Claude Code leaves the image out; behind
  some gateways it compacts the whole conversation.

Cure
  Every such image is made to fit into 2000 pixels, and a line behind it tells
  the model how its coordinates belong to the original. All images stay, and
  no new session is needed. With --no-resize a short text takes their place.

What it loses
  Pixels. The originals are kept in images/ beside the session."""

    def breaks(self, case: Case, exhibit: Exhibit) -> bool:
        profile, side = case.profile, _side(case, exhibit)
        if profile.many_side is None or profile.side is None or case.image_count <= profile.many:
            return False
        return profile.many_side < side <= profile.side

    def charge(self, case: Case, exhibit: Exhibit) -> Charge:
        side, limit = _side(case, exhibit), case.profile.many_side
        return Charge(f"one side has {side} pixels, and among {case.image_count} images {limit} are allowed", Remedy.SMALLER)

    def mend(self, case: Case, exhibit: Exhibit, choices: Choices) -> Cure:
        assert case.profile.many_side is not None
        return _shrunk(case, exhibit, choices, over_side_among(case.profile.many_side, case.profile.many))


class ImageTooManyPixels(MediaFault):
    """A side over 8000 pixels."""

    id = "image-too-many-pixels"
    stage = Stage.PIXELS
    rule = Rule.SIDE
    severities = MappingProxyType({"claude-code": Severity.DEGRADES})
    warned = Consent.ASKED
    page = """\
image-too-many-pixels: a side over 8000 pixels

Rule
  Anthropic takes no image with a side over 8000 pixels, however few there
  are: a screenshot of a whole web page, from top to bottom.

What you see
  ...image.source.base64.data: At least one of the image dimensions exceed
  max allowed size: 8000 pixels
  Pi is refused with every turn. Claude Code leaves the image out; behind
  some gateways it compacts the whole conversation.

Cure
  The image is made to fit into 2000 pixels, and a line behind it tells the
  model how its coordinates belong to the original. With --no-resize a short
  text takes its place.

What it loses
  Pixels. The original is kept in images/ beside the session.
  If you see these words and no image of the session breaks the rule, nothing
  is changed: ask `sessionkit locate SESSION --error TEXT`."""

    def breaks(self, case: Case, exhibit: Exhibit) -> bool:
        return case.profile.side is not None and _side(case, exhibit) > case.profile.side

    def charge(self, case: Case, exhibit: Exhibit) -> Charge:
        return Charge(f"one side has {_side(case, exhibit)} pixels, and {case.profile.side} are allowed", Remedy.SMALLER)

    def mend(self, case: Case, exhibit: Exhibit, choices: Choices) -> Cure:
        assert case.profile.side is not None
        return _shrunk(case, exhibit, choices, over_side(case.profile.side))


def _side(case: Case, exhibit: Exhibit) -> int:
    """Pixels of the longer side; 0 of what is no whole image."""
    facts = case.look(exhibit)
    if exhibit.media.kind is not MediaKind.IMAGE or not isinstance(facts, Facts) or facts.size is None:
        return 0
    return max(facts.size.width, facts.size.height)


def _shrunk(case: Case, exhibit: Exhibit, choices: Choices, reason: str) -> Cure:
    return first_of(choices, lambda: smaller(case, exhibit, choices), lambda: noted(case, exhibit, reason, choices))
