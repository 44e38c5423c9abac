"""A last line without a line feed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.faults.base import Consent, Fault, Finding, Lengths, Severity, Splice, Spot, Stage, State, Uncured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case


class NoFinalNewline(Fault):
    """A last line without a line feed."""

    id = "no-final-newline"
    stage = Stage.LINES
    consent = Consent.ALONG
    page = """\
no-final-newline: a last line without a line feed

Rule
  The last byte of the session is no line feed. The last record is whole.

What you see
  Nothing, today. An agent that appends its next record without looking puts
  it on the same line, and one of the two is lost: see `glued-lines`.

Cure
  A line feed at the end, whenever something else is cured too. Codex and Pi
  add it themselves.

What it loses
  Nothing."""

    def find(self, case: Case) -> Iterator[Finding]:
        last = case.lines.count
        if case.lines.ends_whole or not case.outline.records or last in case.outline.odd:
            return
        obstacle = "Codex adds it itself" if case.format == "codex" else ""
        cure = "" if obstacle else "a line feed at its end"
        cause = "the last line has no line feed: what is appended next may end up on it"
        yield Finding(self.id, Severity.HARMLESS, State.LIVE, Spot(last), cause, cure, obstacle)

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        if finding.obstacle or choices.lengths is Lengths.KEPT:
            return Uncured(finding.obstacle or "its agent adds it itself")
        end = case.lines.length(finding.spot.line)
        return (Splice(finding.spot.line, end, end, b"\n", "a line feed"),)
