"""What `repair --undo` tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.conduct import Report
from sessionkit.cli.reports.jsonlines import JsonLines, name
from sessionkit.cli.sizes import count, size
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from sessionkit.cli.voice import Voice
    from sessionkit.errors import ExitCode
    from sessionkit.ops.failed import Failed
    from sessionkit.ops.repair import Undone


class UndoText(Report["Undone"]):
    """A line for each session."""

    def __init__(self, voice: Voice, effect: Effect) -> None:
        self._voice = voice
        self._is_dry = effect is Effect.REHEARSE
        self._done = 0

    def add(self, result: Undone) -> None:
        """Write of a session."""
        self._done += 1
        kept = f"; {size(result.appended)} that were appended since stay" if result.appended else ""
        verb = "would be put back" if self._is_dry else "was put back"
        already = " already, by a run that did not come to its end" if result.outcome is Outcome.UNCHANGED else ""
        self._voice.paragraph(f"{result.source.path}: {result.backup.name} {verb}{already}{kept}", 0)

    def close(self, code: ExitCode) -> None:  # noqa: ARG002  failures are told on their own
        """Sum up."""
        if self._done > 1:
            self._voice.line(f"{count(self._done, 'session')} {'to put back' if self._is_dry else 'put back'}")
        if self._done and self._is_dry:
            self._voice.line("nothing was written")


class UndoJson(Report["Undone"]):
    """Records by the schema of `repair`."""

    is_for_programs = True

    def __init__(self, voice: Voice, effect: Effect) -> None:
        self._lines = JsonLines(voice, "repair")
        self._is_dry = effect is Effect.REHEARSE
        self._undone = 0

    def add(self, result: Undone) -> None:
        """Write the record of a session."""
        self._undone += 1
        done = "unchanged" if result.outcome is Outcome.UNCHANGED else "undone"
        record = {"status": "planned" if self._is_dry else done, "backup": name(result.backup), "appended_bytes": result.appended}
        self._lines.session(result.source, record)

    def fail(self, failed: Failed) -> None:
        """Write that a session failed, and why."""
        self._lines.failure(failed)

    def close(self, code: ExitCode) -> None:
        """Write the summary."""
        self._lines.summary({"undone": self._undone, "dry_run": self._is_dry}, code)
