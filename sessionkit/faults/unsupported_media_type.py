"""Types that a vendor does not take."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from sessionkit.core.model import MediaKind
from sessionkit.core.pictures import Facts
from sessionkit.core.sniff import Family
from sessionkit.faults.base import Severity, Stage, Uncured
from sessionkit.faults.contents import cause_of, reason_of
from sessionkit.faults.cures import everywhere, relabel
from sessionkit.faults.judging import Charge, MediaFault, Remedy
from sessionkit.faults.labels import is_accepted_label, label_of
from sessionkit.faults.note import not_accepted
from sessionkit.faults.profiles import Rule
from sessionkit.faults.remedies import converted, first_of, is_convertible, is_taken, noted

if TYPE_CHECKING:
    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit


class UnsupportedMediaType(MediaFault):
    """An image of a type that is not taken."""

    id = "unsupported-media-type"
    stage = Stage.LABELS
    rule = Rule.TYPE
    severities = MappingProxyType({"claude-code": Severity.DEGRADES})
    page = """\
unsupported-media-type: an image of a type that is not taken

Rule
  The session itself says that the image is of a type that the vendor does
  not take: image/bmp, image/svg+xml, application/octet-stream, image/jpg, or
  a data URL that names no type. Anthropic and OpenAI take JPEG, PNG, GIF and
  WebP, OpenAI no GIF that moves; Gemini takes HEIC too.

What you see
  Anthropic: ...media_type: Input should be 'image/jpeg', 'image/png',
             'image/gif' or 'image/webp'
  OpenAI:    You uploaded an unsupported image. Please make sure your image
             has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].
  Gemini:    Unsupported MIME type: image/bmp
  Pi is refused with every turn. Claude Code leaves the image out, and one
  more healthy image with every turn that follows.

Cure
  The bytes decide. If they are of a type that is taken, only the label
  changes. A BMP, TIFF or AVIF, or a GIF that moves, becomes a PNG or JPEG,
  and a line behind it tells the model so. Anything else gives way to a short
  text.

What it loses
  With a new label nothing. What was converted or taken out is kept in
  images/ beside the session. Of a GIF that moves the first frame is left."""

    def breaks(self, case: Case, exhibit: Exhibit) -> bool:
        """Whether there are bytes under a label that nobody takes, or a picture that moves where only others are taken."""
        facts = case.facts(exhibit)
        if exhibit.flaw or facts is None or not _is_image(exhibit, facts):
            return False
        return not is_accepted_label(case, exhibit) or (facts.type in case.profile.types and not is_taken(case, facts))

    def charge(self, case: Case, exhibit: Exhibit) -> Charge:
        facts = case.facts(exhibit)
        assert facts is not None
        if is_accepted_label(case, exhibit):
            return Charge(f"it is {facts.type.mime} that moves, which is not accepted", Remedy.CONVERSION)
        named = f"it is labelled {label_of(exhibit) or 'as nothing'}"
        if is_taken(case, facts):
            cause = f"{named}, which is not accepted, and its bytes are {facts.type.mime}"
            return Charge(cause, Remedy.LABEL, severity=None if case.profile.minds(Rule.NAMED) else Severity.HARMLESS)
        return Charge(f"{named}, and {cause_of(case, exhibit)}", Remedy.CONVERSION if is_convertible(case, exhibit) else Remedy.NOTE)

    def mend(self, case: Case, exhibit: Exhibit, choices: Choices) -> Cure:
        return first_of(
            choices,
            lambda: self._relabelled(case, exhibit),
            lambda: converted(case, exhibit),
            lambda: noted(case, exhibit, _reason(case, exhibit), choices),
        )

    def _relabelled(self, case: Case, exhibit: Exhibit) -> Cure:
        facts = case.facts(exhibit)
        if facts is None or not is_taken(case, facts):
            return Uncured("no label makes its bytes acceptable")
        return relabel(case.lines, everywhere(case, exhibit, partial(self.breaks, case)), facts.type.mime)


def _is_image(exhibit: Exhibit, facts: Facts) -> bool:
    """Whether it is meant as an image, or is one whatever it is called."""
    return exhibit.media.kind is MediaKind.IMAGE or facts.type.family is Family.IMAGE


def _reason(case: Case, exhibit: Exhibit) -> str:
    facts = case.look(exhibit)
    return not_accepted(facts.type.mime) if isinstance(facts, Facts) and facts.type in case.profile.types else reason_of(case, exhibit)
