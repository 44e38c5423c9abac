"""Images over a limit that vendors have raised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.model import MediaKind
from sessionkit.faults.base import Consent, Severity, Stage, Uncured
from sessionkit.faults.judging import Charge, MediaFault, Remedy
from sessionkit.faults.profiles import Rule

if TYPE_CHECKING:
    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit

_MIB: Final = 1 << 20
_OBSTACLE: Final = "its vendor takes it today"


class OlderImageLimit(MediaFault):
    """An image that its vendor used to refuse."""

    id = "older-image-limit"
    stage = Stage.SIZE
    consent = Consent.ASKED
    rule = Rule.LENGTH
    page = """\
older-image-limit: an image that its vendor used to refuse

Rule
  An image takes more characters of base64 than its vendor took some years
  ago: 5 MiB at Anthropic, 20 MiB at OpenAI and Google. Today more is taken,
  but some gateways and other clouds may still refuse it.

What you see
  Nothing, as long as the host takes it.

Cure
  None is needed. If your host refuses the image, name its rules: with
  `--profile bedrock`, or without `--direct`, it is found as image-too-large,
  and cured as that.

What it loses
  Nothing."""

    def breaks(self, case: Case, exhibit: Exhibit) -> bool:
        """Whether an image is over the older limit, and not over that of today."""
        if exhibit.media.kind is not MediaKind.IMAGE:
            return False
        length, today = case.base64_length(exhibit), case.profile.length
        return length > _limit(case) and (today is None or length <= today)

    def charge(self, case: Case, exhibit: Exhibit) -> Charge:
        cause = f"it takes {case.base64_length(exhibit):,} characters of base64, and {_limit(case):,} were allowed before"
        return Charge(cause, Remedy.NONE, _OBSTACLE, Severity.HARMLESS)

    def mend(self, case: Case, exhibit: Exhibit, choices: Choices) -> Cure:
        return Uncured(_OBSTACLE)


def _limit(case: Case) -> int:
    """Characters that the vendor took in former years."""
    return 5 * _MIB if case.profile.is_of_anthropic else 20 * _MIB
