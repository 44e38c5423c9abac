"""Bytes that no vendor can decode as a picture."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from sessionkit.core.model import MediaKind
from sessionkit.core.pictures import Facts, Trouble
from sessionkit.faults.base import Severity, Stage
from sessionkit.faults.contents import cause_of, reason_of
from sessionkit.faults.judging import Charge, MediaFault, Remedy
from sessionkit.faults.labels import is_accepted_label
from sessionkit.faults.profiles import Rule
from sessionkit.faults.remedies import converted, first_of, from_twin, healthy_twin, is_convertible, noted

if TYPE_CHECKING:
    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit


class UndecodableImage(MediaFault):
    """An image that is no picture."""

    id = "undecodable-image"
    stage = Stage.BYTES
    rule = Rule.DECODES
    severities = MappingProxyType({"claude-code": Severity.DEGRADES})
    page = """\
undecodable-image: an image that is no picture

Rule
  The base64 is fine, but its bytes are of no image type that is taken, or
  the file ends too early: a web page or an error message that was saved as
  shot.png, an SVG, a BMP, a download that broke off. This is told by the
  first bytes and by the structure. With --decode every pixel is decoded too,
  which is slow and finds damage in the middle.

What you see
  Anthropic: Could not process image
  OpenAI:    The image data you provided does not represent a valid image.
  Gemini:    Unable to process input image. Please retry or report in ...
  Codex, older: Invalid image in your last message
  Anthropic names no place. Pi, qwen-code and Gemini CLI send the image again
  with every turn, and are refused every time. Claude Code leaves out its
  newest images, healthy ones too, and then compacts the whole conversation.
  Codex puts a text in its place by itself when it loads the session.

Cure
  If the agent kept the same picture a second time in good health, its bytes
  are put back. A BMP, TIFF or AVIF becomes a PNG. Anything else gives way to
  a short text that says what was there. Nothing moves.

What it loses
  Nothing that was a picture. The bytes are kept in images/ beside the
  session, where the text says, and the old session stays as a backup.
  Some images are refused though they decode here. Then no rule is broken:
  `sessionkit locate SESSION --error TEXT` names the place, and
  `sessionkit repair SESSION --line N --path P --note` takes the image out."""

    def breaks(self, case: Case, exhibit: Exhibit) -> bool:
        """Whether there are bytes, and they are no whole picture. One that says itself what it is, `image/bmp`, is not meant."""
        if exhibit.media.kind is not MediaKind.IMAGE or exhibit.flaw:
            return False
        match case.look(exhibit):
            case Facts(type=type_):
                return type_ not in case.profile.types and is_accepted_label(case, exhibit)
            case Trouble(facts=Facts(type=type_)):
                return type_ in case.profile.types or is_accepted_label(case, exhibit)
            case _:
                return False

    def charge(self, case: Case, exhibit: Exhibit) -> Charge:
        return Charge(cause_of(case, exhibit), _remedy(case, exhibit))

    def mend(self, case: Case, exhibit: Exhibit, choices: Choices) -> Cure:
        return first_of(
            choices,
            lambda: from_twin(case, exhibit),
            lambda: converted(case, exhibit),
            lambda: noted(case, exhibit, reason_of(case, exhibit), choices),
        )


def _remedy(case: Case, exhibit: Exhibit) -> Remedy:
    if healthy_twin(case, exhibit):
        return Remedy.TWIN
    return Remedy.CONVERSION if is_convertible(case, exhibit) else Remedy.NOTE
