"""`check` for people."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING, Final

from sessionkit.cli.printable import without_base64
from sessionkit.cli.reports.check.base import CheckReport, counting
from sessionkit.cli.reports.findings import cure_words, image_words, severity_words, spot_words
from sessionkit.cli.reports.notes import NoteDigest
from sessionkit.cli.sizes import count, size
from sessionkit.cli.voice import Style, Verbosity
from sessionkit.errors import Place
from sessionkit.faults.base import Severity, State
from sessionkit.ops.check import Kind

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.cli.reports.check.base import Bar
    from sessionkit.errors import ExitCode
    from sessionkit.faults.base import Finding
    from sessionkit.ops.check import Checked

_FEW: Final = 3
_FEW_TWINS: Final = 3
_STYLES: Final = {Severity.BRICKS: Style.ALARM, Severity.DEGRADES: Style.WARNING}


class CheckText(CheckReport):
    """A heading for each session with findings, the findings below it, then sums and the next step."""

    def __init__(self, how: Manner, bar: Bar) -> None:
        super().__init__(how, bar)
        self._faulty = ""
        self._unseen = NoteDigest(how.verbosity)

    def tell(self, result: Checked) -> None:
        """Write of a session, if there is something to say."""
        is_verbose = self._verbosity is Verbosity.VERBOSE
        shown = [finding for finding in result.findings if is_verbose or self._is_told(finding)]
        for words in result.unseen:
            self._unseen.add(words, str(result.source.path))
        if not shown and not is_verbose:
            return
        if counting(result.counts) and not result.source.is_stdin:
            self._faulty = str(result.source.path)
        self._voice.paragraph(_heading(result), 0, Style.HEADING)
        self._list(shown, result)

    def _list(self, shown: list[Finding], result: Checked) -> None:
        """Show the first few of each kind, and count the others."""
        most = None if self._verbosity is Verbosity.VERBOSE else _FEW
        told = Counter[Kind]()
        for finding in shown:
            kind = Kind.of(finding)
            if most is None or told[kind] < most:
                told[kind] += 1
                self._show(finding, str(result.source.path))
        for kind, number in (result.counts - told).items():
            if kind in told:
                self._voice.line(f"  … and {number:,} more of {kind.fault}{' (-v shows them)' if most else ''}", Style.FAINT)

    def _show(self, finding: Finding, path: str) -> None:
        self._voice.line(f"  {severity_words(finding)}: {finding.fault}", _STYLES.get(finding.severity, Style.PLAIN))
        pointer = without_base64(finding.spot.pointer) or None
        self._voice.paragraph(str(Place(path, finding.spot.line, pointer)), 4)
        if finding.image:
            self._voice.paragraph(image_words(finding.image), 4)
            if finding.image.sha256:
                self._voice.line(f"    sha256 {finding.image.sha256}")
        self._voice.paragraph(without_base64(finding.cause), 4)
        if finding.wire:
            self._voice.paragraph(f"in the next request: {finding.wire}", 4)
        if finding.twins:
            self._voice.paragraph(_also(finding), 4)
        self._voice.paragraph(cure_words(finding), 4, Style.FAINT)

    def close(self, code: ExitCode) -> None:  # noqa: ARG002  failures are told on their own
        """Sum up."""
        sums = self._sums
        if self._verbosity is Verbosity.QUIET or not sums.sessions:
            return
        ill = [f"{sums.worst[severity]:,} {word}" for severity, word in _ILL.items() if sums.worst[severity]]
        verdict = f"{', '.join(ill)}; {count(sums.findings, 'finding')}" if sums.findings else "nothing is wrong"
        notes = f", {count(sums.notes, 'note')}" if sums.notes else ""
        self._voice.line(f"{count(sums.sessions, 'session')}: {verdict}{notes}")
        self._unseen.tell(self._voice, "not looked at as a whole")
        self._list_notes()
        self._advise()

    def _list_notes(self) -> None:
        """Count the notes by fault that were not shown."""
        notes = [kind for kind in self._sums.counts if not kind.counts and not self._bar.refuses(kind)]
        if not notes or self._verbosity is Verbosity.VERBOSE:
            return
        self._voice.line("notes (-v shows them):")
        for kind in sorted(notes, key=lambda kind: -self._sums.counts[kind]):
            won = self._sums.won[kind]
            how = kind.severity if kind.state is State.LIVE or kind.severity is Severity.BLOATS else State.ASLEEP
            gain = f"  {size(won):>7} to win" if won else ""
            self._voice.line(f"{self._sums.counts[kind]:>7,} × {kind.fault:<24}{how:<8}{gain}".rstrip(), Style.FAINT)

    def _advise(self) -> None:
        """Name the next step."""
        sums = self._sums
        if not sums.findings:
            return
        path = shlex.quote(self._faulty) if self._faulty and sums.worst.total() == 1 else "PATH…"
        cured = f"it would cure {sums.curable:,} of {count(sums.findings, 'finding')}"
        self._voice.paragraph(f"next: `sessionkit repair {path}` shows how {cured}", 0)
        worst = min((kind for kind in sums.counts if kind.counts), key=lambda kind: (kind.severity is not Severity.BRICKS, kind.fault))
        self._voice.paragraph(f"`sessionkit explain {worst.fault}` tells what that is", 6)


_ILL: Final = {Severity.BRICKS: "bricked", Severity.DEGRADES: "degraded"}


def _heading(checked: Checked) -> str:
    rules = "" if checked.profile == checked.format else f", by the rules of {checked.profile}"
    found = counting(checked.counts)
    numbers = [count(number, noun) for number, noun in ((found, "finding"), (checked.counts.total() - found, "note")) if number]
    return f"{checked.source.path}: {', '.join(numbers) or 'nothing is wrong'} ({checked.format}{rules})"


def _also(finding: Finding) -> str:
    places = ", ".join(map(spot_words, finding.twins[:_FEW_TWINS]))
    rest = len(finding.twins) - _FEW_TWINS
    return f"the same on {places}" + (f" and {count(rest, 'more place')}" if rest > 0 else "")
