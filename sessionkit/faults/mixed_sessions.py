"""Files that hold records of several sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.dialects.content import string
from sessionkit.faults.base import Finding, Severity, Spot, State
from sessionkit.faults.reported import ReportedFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.case import Case

_FORMATS: Final = frozenset({"claude-code", "qwen-code"})


class MixedSessions(ReportedFault):
    """Records of several sessions in one file."""

    id = "mixed-sessions"
    page = """\
mixed-sessions: records of several sessions in one file

Rule
  The records of the file name more than one sessionId. Two agents wrote into
  one file, or a tool joined two sessions. Versions of Claude Code that copy
  the old records when they resume do it too.

What you see
  Claude Code reads the file and follows the chain of its records. qwen-code
  refuses the session.

Cure
  None: which record belongs where only their chains tell, and both sessions
  may be wanted.

What it loses
  Nothing."""

    def find(self, case: Case) -> Iterator[Finding]:
        if case.format not in _FORMATS:
            return
        severity = Severity.BRICKS if case.format == "qwen-code" else Severity.HARMLESS
        seen: set[str] = set()
        for record in case.tree.records:
            session = string(record.value.get("sessionId"))
            if session and session not in seen:
                seen.add(session)
                if len(seen) > 1:
                    cause = f"its session is {session}, and that of the records before it another"
                    obstacle = "both sessions may be wanted"
                    yield Finding(self.id, severity, State.LIVE, Spot(record.origin.line, "/sessionId"), cause, obstacle=obstacle)
