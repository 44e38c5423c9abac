"""`repair` for people: what is done as a diff, what is left and why, and what to do next."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from sessionkit.cli.printable import without_base64
from sessionkit.cli.reports.notes import NoteDigest
from sessionkit.cli.reports.repair.base import RepairReport
from sessionkit.cli.reports.repair.words import (
    cure_line,
    finding_heading,
    heading,
    names_words,
    request_words,
    sight,
    step_heading,
    why_left,
    written_words,
)
from sessionkit.cli.sizes import count, size
from sessionkit.cli.voice import Style, Verbosity
from sessionkit.faults.base import Severity
from sessionkit.ops.repair import Left, Treated
from sessionkit.ops.sources import is_packed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionkit.cli.conduct import Manner
    from sessionkit.errors import ExitCode
    from sessionkit.ops.repair import Options, Repaired, Step

_FEW: Final = 3
"""Findings of one fault, and places of one finding, that are shown; the others are counted."""
_STYLES: Final = {Severity.BRICKS: Style.ALARM, Severity.DEGRADES: Style.WARNING}


class RepairText(RepairReport):
    """A heading for each session with something to say, its cures and what is left below it; then sums and the next step."""

    def __init__(self, how: Manner, options: Options) -> None:
        super().__init__(how, options)
        self._is_verbose = how.verbosity is Verbosity.VERBOSE
        self._unseen = NoteDigest(how.verbosity)
        self._backups = 0
        self._is_only_read = False

    def tell(self, result: Repaired) -> None:
        """Write of a session, if there is something to say."""
        prognosis = result.prognosis
        self._backups += result.backup is not None
        self._is_only_read |= result.transfer.source.is_stdin or is_packed(result.transfer.source.path.name)
        for words in prognosis.unseen:
            self._unseen.add(words, str(result.transfer.source.path))
        left = [left for left in prognosis.left if self._is_verbose or left.finding.counts]
        if not prognosis.treated and not left and not prognosis.astray and not self._is_verbose:
            return
        self._voice.paragraph(heading(result, self._is_dry), 0, Style.HEADING)
        if prognosis.astray:
            self._voice.paragraph(without_base64(prognosis.astray), 2, Style.WARNING)
        self._list(prognosis.treated)
        self._list(left)
        self._tell_of_all(result)

    def _list(self, found: Sequence[Treated | Left]) -> None:
        """Show the first few of each fault, and count the others."""
        told = Counter[str]()
        for each in found:
            if self._is_verbose or told[each.finding.fault] < _FEW:
                told[each.finding.fault] += 1
                self._show(each)
        for fault, number in (Counter(each.finding.fault for each in found) - told).items():
            self._voice.line(f"  … and {number:,} more of {fault} (-v shows them)", Style.FAINT)

    def _show(self, each: Treated | Left) -> None:
        self._voice.paragraph(finding_heading(each), 2, _STYLES.get(each.finding.severity, Style.PLAIN))
        self._voice.paragraph(without_base64(each.finding.cause), 4)
        match each:
            case Treated():
                self._voice.paragraph(cure_line(each), 4)
                self._show_steps(each)
            case Left():
                self._voice.paragraph(why_left(each), 4)

    def _show_steps(self, treated: Treated) -> None:
        shown = treated.steps if self._is_verbose else treated.steps[:_FEW]
        for step in shown:
            self._show_step(step)
        if len(shown) < len(treated.steps):
            self._voice.line(f"    … and {count(len(treated.steps) - len(shown), 'more place')} (-v shows them)", Style.FAINT)

    def _show_step(self, step: Step) -> None:
        self._voice.paragraph(step_heading(step), 4, Style.FAINT)
        for sign, seen in (("-", step.before), ("+", step.after)):
            if seen:
                self._voice.paragraph(f"{sign} {sight(seen)}", 4)

    def _tell_of_all(self, result: Repaired) -> None:
        prognosis = result.prognosis
        if prognosis.request:
            self._voice.paragraph(request_words(prognosis.request), 2)
        if prognosis.assets:
            files = count(len(prognosis.assets), "file")
            self._voice.paragraph(
                f"{'to be ' if self._is_dry else ''}kept in {result.store}: {files} ({size(sum(prognosis.assets.values()))})", 2
            )
        if prognosis.other_names:
            self._voice.paragraph(names_words(prognosis.other_names), 2, Style.WARNING)
        words = written_words(result, self._is_dry)
        if words:
            self._voice.paragraph(words, 2)

    def close(self, code: ExitCode) -> None:  # noqa: ARG002  failures are told on their own
        """Sum up."""
        if not self._sums.sessions:
            return
        for line in self._summary():
            self._voice.paragraph(line, 0)
        self._unseen.tell(self._voice, "not looked at as a whole")
        for line in self._advice():
            self._voice.paragraph(line, 0)

    def _summary(self) -> Iterable[str]:
        sums = self._sums
        said = [f"{count(sums.cured, 'finding')} {'to cure' if self._is_dry else 'cured'}"] if sums.cured else []
        said += [f"{sums.left:,} left in {count(sums.ill, 'session')}"] if sums.left else []
        notes = f", {count(sums.notes, 'note')}" if sums.notes else ""
        yield f"{count(sums.sessions, 'session')}: {', '.join(said) or 'nothing to cure'}{notes}"
        before, after = size(sums.before), size(sums.after)
        if before != after:
            yield f"{before} before, {after} after"
        if sums.nowhere:
            yield f"nothing was found of {', '.join(sums.nowhere)}"
        if self._is_dry:
            yield "nothing was written"

    def _advice(self) -> Iterable[str]:
        """Name the next step."""
        if self._is_dry and self._sums.cured and self._is_only_read:
            yield "next: run this again with -o FILE, or with -o - for standard output"
        elif self._is_dry and self._sums.cured:
            yield "next: close the agent, and run this again with --apply, or with -o FILE for a copy"
        elif self._backups:
            yield "next: start the agent again; `sessionkit repair PATH --undo` puts it back as it was"
