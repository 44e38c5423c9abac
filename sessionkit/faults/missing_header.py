"""Sessions whose first line is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.faults.base import Finding, Severity, Spot, State
from sessionkit.faults.reported import ReportedFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.entries import JsonObject
    from sessionkit.faults.case import Case

_PIS_OWN: Final = frozenset({"model_change", "thinking_level_change"})
"""Entries that Ink, whose messages look like Pi's, does not write."""


class HeaderMissing(ReportedFault):
    """A session whose header is missing."""

    id = "header-missing"
    page = """\
header-missing: a session whose header is missing

Rule
  A session of Pi begins with a record of the type session, one of Codex with
  session_meta. Here another record comes first: the first line was deleted,
  torn, or lost when sessions were joined.

What you see
  Pi: `Session file is not a valid pi session`. Codex: `does not start with
  session metadata`. Neither opens the session.

Cure
  None: the id, the folder and the version that stood there cannot be made
  up. Take the first line of a backup of the same session; that of another
  one names another folder.

What it loses
  Nothing."""

    def find(self, case: Case) -> Iterator[Finding]:
        for record in case.outline.records[:1]:
            header = _lacks(case, record.value)
            if header and all(line > record.origin.line for line in case.unread):
                cause = f"it does not begin with the record {header}: its agent does not open it"
                obstacle = "what stood in it cannot be made up"
                yield Finding(self.id, Severity.BRICKS, State.LIVE, Spot(record.origin.line), cause, obstacle=obstacle)


def _lacks(case: Case, first: JsonObject) -> str:
    """Name the record that should come first; empty if it does."""
    match case.format:
        case "pi" if first.get("type") != "session":
            return "session"
        case "ink" if any(record.type in _PIS_OWN for record in case.outline.records):
            return "session"
        case "codex" if first.get("type") != "session_meta" and not _is_old_header(first):
            return "session_meta"
        case _:
            return ""


def _is_old_header(first: JsonObject) -> bool:
    """Whether it is how Codex began sessions up to 0.31."""
    return "type" not in first and ("instructions" in first or "session" in first)
