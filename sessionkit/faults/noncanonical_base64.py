"""Base64 that is spelt otherwise than vendors read it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from sessionkit.faults.base import Severity, Stage, Uncured
from sessionkit.faults.cures import everywhere, put_note, respell
from sessionkit.faults.judging import Charge, MediaFault, Remedy
from sessionkit.faults.profiles import Rule
from sessionkit.faults.remedies import first_of
from sessionkit.faults.spellings import Spelling, lacks_prefix, spelling_of

if TYPE_CHECKING:
    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit

_NO_URL: Final = "no URL"


class NoncanonicalBase64(MediaFault):
    """A sound image in an odd spelling."""

    id = "noncanonical-base64"
    stage = Stage.LABELS
    rule = Rule.SPELLING
    severities = MappingProxyType({"claude-code": Severity.DEGRADES})
    page = """\
noncanonical-base64: a sound image in an odd spelling

Rule
  The image is whole, but its base64 is not written as vendors read it: with
  line breaks, with - and _ for + and /, without the = at the end; with
  `data:image/png;base64,` before it where only base64 belongs, or without
  that where a URL belongs.

What you see
  Anthropic: ...image.source.base64: invalid base64 data
  OpenAI:    Invalid 'input[7].output[0].image_url'. Expected a valid URL,
             but got a value with an invalid format.
  Gemini:    ... Base64 decoding failed for "..."
  Some hosts are not so strict, so it may work today and fail tomorrow.

Cure
  The same bytes are written in the usual way, and the label is set right.

What it loses
  Nothing. Not a pixel changes.
  In a Codex session every line must keep its length, and a URL is longer than
  what stands there. So a short text takes the place of the image, which is
  kept in images/. To keep it in the session, write a copy with -o."""

    def breaks(self, case: Case, exhibit: Exhibit) -> bool:
        return spelling_of(case, exhibit) is Spelling.OTHER

    def charge(self, case: Case, exhibit: Exhibit) -> Charge:
        if lacks_prefix(exhibit):
            severity = Severity.BRICKS if case.profile.minds(Rule.ADDRESS) else None
            return Charge("it is bare base64 where a data URL belongs", Remedy.SPELLING, severity=severity)
        defect = case.pictures.misspelling(exhibit.media)
        if defect is None:
            return Charge("it is a data URL where bare base64 belongs", Remedy.SPELLING)
        return Charge(f"its base64 is spelt in another way: {defect}", Remedy.SPELLING)

    def mend(self, case: Case, exhibit: Exhibit, choices: Choices) -> Cure:
        return first_of(
            choices,
            lambda: respell(case.lines, everywhere(case, exhibit, lambda other: self.breaks(case, other))),
            lambda: _left_out(case, exhibit, choices),
        )


def _left_out(case: Case, exhibit: Exhibit, choices: Choices) -> Cure:
    """Unbrick a session whose lines may not get longer; copies that are written as they should be stay."""
    if not lacks_prefix(exhibit):
        return Uncured("its line may not get longer, and its agent reads it all the same")
    shown = everywhere(case, exhibit, lambda other: other.is_live and lacks_prefix(other))
    return put_note(case.lines, shown, case.note(exhibit, _NO_URL), choices.lengths)
