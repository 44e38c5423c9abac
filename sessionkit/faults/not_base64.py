"""Damaged base64."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from sessionkit.core.pictures import Trouble
from sessionkit.faults.base import Severity, Stage
from sessionkit.faults.judging import Charge, MediaFault, Remedy
from sessionkit.faults.note import NOT_BASE64
from sessionkit.faults.profiles import Rule
from sessionkit.faults.remedies import first_of, from_twin, healthy_twin, noted
from sessionkit.faults.spellings import Spelling, lacks_prefix, spelling_of

if TYPE_CHECKING:
    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit


class NotBase64(MediaFault):
    """An image whose base64 is damaged."""

    id = "not-base64"
    stage = Stage.LABELS
    rule = Rule.SPELLING
    severities = MappingProxyType({"claude-code": Severity.DEGRADES})
    page = """\
not-base64: an image whose base64 is damaged

Rule
  The text where base64 belongs decodes in no spelling: something else stands
  in the middle of it, such as a cut ("... 12,000 characters left out ..."),
  or a single character is missing or too much.

What you see
  Anthropic: ...image.source.base64: invalid base64 data
  OpenAI:    Invalid 'input[7].output[0].image_url'. Expected ...
  Gemini:    ... Base64 decoding failed for "..."
  Pi, qwen-code and Gemini CLI are refused with every turn. Claude Code leaves
  the image out, and one more healthy image with every turn. Codex puts a text
  in its place by itself when it loads the session, unless what stands there
  is no URL at all: that is refused with every turn.

Cure
  If the agent kept the same picture a second time in good health, its bytes
  are put back. Otherwise a short text takes its place.

What it loses
  A picture that could not be seen any more. Its text is kept in images/, as
  it was, for those who want to try and mend it."""

    def breaks(self, case: Case, exhibit: Exhibit) -> bool:
        return spelling_of(case, exhibit) is Spelling.DAMAGED

    def charge(self, case: Case, exhibit: Exhibit) -> Charge:
        look = case.look(exhibit)
        why = look.reason if isinstance(look, Trouble) and exhibit.is_inline else "a data URL without base64"
        severity = Severity.BRICKS if case.profile.minds(Rule.ADDRESS) and lacks_prefix(exhibit) else None
        remedy = Remedy.TWIN if healthy_twin(case, exhibit) else Remedy.NOTE
        return Charge(f"its data is {why} ({exhibit.base64_length():,} characters)", remedy, severity=severity)

    def mend(self, case: Case, exhibit: Exhibit, choices: Choices) -> Cure:
        return first_of(choices, lambda: from_twin(case, exhibit), lambda: noted(case, exhibit, NOT_BASE64, choices))
