"""Images without a byte."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from sessionkit.core.model import MediaKind
from sessionkit.faults.base import Severity, Stage
from sessionkit.faults.judging import Charge, MediaFault, Remedy
from sessionkit.faults.note import EMPTY
from sessionkit.faults.profiles import Rule
from sessionkit.faults.remedies import first_of, from_twin, healthy_twin, noted
from sessionkit.faults.spellings import Spelling, lacks_prefix, spelling_of

if TYPE_CHECKING:
    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit


class ImageEmpty(MediaFault):
    """An image without a byte."""

    id = "image-empty"
    stage = Stage.LABELS
    rule = Rule.SPELLING
    severities = MappingProxyType({"claude-code": Severity.DEGRADES, "qwen-code": Severity.HARMLESS})
    page = """\
image-empty: an image without a byte

Rule
  The data of an image is an empty string, or a data URL with nothing behind
  the comma. A screenshot that failed, or a read of an empty file.

What you see
  Anthropic: ...image.source.base64: image cannot be empty
  OpenAI:    Invalid 'input[7].output[0].image_url'. ...
  Pi and Codex are refused with every turn. Claude Code leaves the image out,
  and one more healthy image with every turn. qwen-code drops it and goes on.
  An empty copy under toolUseResult is never sent, and is no fault.

Cure
  If the agent kept the same picture a second time, its bytes are put back.
  Otherwise a short text takes its place: [image removed: empty].

What it loses
  Nothing: nothing was there."""

    def breaks(self, case: Case, exhibit: Exhibit) -> bool:
        return exhibit.media.kind is MediaKind.IMAGE and spelling_of(case, exhibit) is Spelling.EMPTY

    def charge(self, case: Case, exhibit: Exhibit) -> Charge:
        severity = Severity.BRICKS if case.profile.minds(Rule.ADDRESS) and lacks_prefix(exhibit) else None
        remedy = Remedy.TWIN if healthy_twin(case, exhibit) else Remedy.NOTE
        return Charge("it has no data", remedy, severity=severity, is_blank=True)

    def mend(self, case: Case, exhibit: Exhibit, choices: Choices) -> Cure:
        return first_of(choices, lambda: from_twin(case, exhibit), lambda: noted(case, exhibit, EMPTY, choices))
