"""Marks of Claude Code that hide healthy images."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.faults.base import Fault, Finding, Severity, Spot, Stage, State, Uncured
from sessionkit.faults.cures import gathered
from sessionkit.faults.cures.tokens import replaced
from sessionkit.faults.health import refusal_of
from sessionkit.faults.judging import ALL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.entries import JsonObject
    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case

UNHIDE: Final = "unhide"
_MARK: Final = "/healsDistinctCarrier"
_WORDS: Final = "could not be processed and was removed"


class HealMarker(Fault):
    """A mark of Claude Code that hides a healthy image."""

    id = "heal-marker"
    stage = Stage.MARKERS
    page = """\
heal-marker: a mark of Claude Code that hides a healthy image

Rule
  When an image is refused, Claude Code repeats the request without it, and
  appends a line with "healsDistinctCarrier":true. At every later start each
  such line takes the newest message with an image before it out of what is
  sent, one that no other mark has taken: mostly a healthy one. The image
  that is at fault is sent again, refused again, and marked again.

What you see
  API Error: an image in the conversation could not be processed and was
  removed. Re-read the file with a different approach if you still need it.
  With every turn the agent sees one image less, until it is blind. The model
  reads: (media removed - rejected by API).

Cure
  The images are cured first; then true becomes null in each mark, which is
  as long. Curing the images alone does not bring back what is hidden. As
  long as an image before the mark is still refused, the mark stays, because
  without it the trouble begins anew: --unhide takes it away all the same.

What it loses
  Nothing."""

    def find(self, case: Case) -> Iterator[Finding]:
        if case.format != "claude-code":
            return
        live = {record.origin.line for record in case.tree.sent}
        for record in case.outline.records:
            line = record.origin.line
            state = State.LIVE if line in live else State.ASLEEP
            if _is_marked(record.value):
                cause = "it takes the newest image before it out of every request"
                option = "" if state is State.LIVE else ALL
                yield Finding(self.id, Severity.DEGRADES, state, Spot(line, _MARK), cause, "the mark is taken away", option=option)
            elif _is_unknown(record.value):
                cause = "it says that an image was removed, without the mark that is known"
                obstacle = "nobody knows whether it hides anything"
                yield Finding(self.id, Severity.HARMLESS, state, Spot(line), cause, obstacle=obstacle)

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        line = finding.spot.line
        if not finding.cure:
            return Uncured(finding.obstacle)
        before = (exhibit for exhibit in case.gallery.live if exhibit.line < line and UNHIDE not in choices.options)
        refused = next((exhibit for exhibit in before if refusal_of(case, exhibit)), None)
        if refused is not None and finding.state is State.LIVE:
            return Uncured(f"the image on line {refused.line} is still refused: {refusal_of(case, refused)}")
        return gathered(replaced(case.lines.places(at), _MARK, b"null", "null") for at in (line,))


def _is_marked(value: JsonObject) -> bool:
    match value:
        case {"isApiErrorMessage": True, "healsDistinctCarrier": True}:
            return True
        case _:
            return False


def _is_unknown(value: JsonObject) -> bool:
    """Whether it is a line of a version that marks in another way, or of ours after its cure, which does not count."""
    match value:
        case {"isApiErrorMessage": True, "message": {"content": [{"text": str(text)}, *_]}} if "healsDistinctCarrier" not in value:
            return _WORDS in text
        case _:
            return False
