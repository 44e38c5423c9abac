"""Results of tools that Gemini CLI sends twice."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sessionkit.core.model import ToolResult
from sessionkit.faults.base import Finding, Severity, Spot, State
from sessionkit.faults.reported import ReportedFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.case import Case


class DoubledResults(ReportedFault):
    """Results of tools that are sent twice."""

    id = "doubled-results"
    page = """\
doubled-results: results of tools that are sent twice

Rule
  The next request of Gemini CLI holds more than one result for a call. Each
  time a session is resumed it writes its history anew, with every result
  once as a message and once beside its call, and sends both.

What you see
  Please ensure that the number of function response parts is equal to the
  number of function call parts of the function call turn.
  The number of images doubles with every resume, and the tokens with it.

Cure
  None that would last: Gemini CLI makes them anew with the next resume. Go
  on in a new session, or with a version that does not do it.

What it loses
  Nothing."""

    def find(self, case: Case) -> Iterator[Finding]:
        if case.format != "gemini-cli":
            return
        results = [block for message in case.conversation.messages for block in message.content if isinstance(block, ToolResult)]
        counts = Counter(result.call_id for result in results if result.call_id)
        doubled = {call for call, count in counts.items() if count > 1}
        if doubled:
            first = next(result for result in results if result.call_id in doubled)
            cause = f"the results of {len(doubled)} of {len(counts)} calls are sent more than once"
            obstacle = "Gemini CLI makes them anew with every resume"
            place = Spot(first.origin.line, first.origin.pointer)
            yield Finding(self.id, Severity.HARMLESS, State.LIVE, place, cause, obstacle=obstacle)
