"""`check` as annotations of GitHub Actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.printable import without_base64
from sessionkit.cli.reports.annotations import Annotations, Command
from sessionkit.cli.reports.check.base import CheckReport
from sessionkit.cli.reports.findings import cure_words, image_words
from sessionkit.cli.voice import Verbosity
from sessionkit.errors import Place
from sessionkit.faults.base import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.cli.conduct import Manner
    from sessionkit.cli.reports.check.base import Bar
    from sessionkit.errors import ExitCode
    from sessionkit.faults.base import Finding
    from sessionkit.ops.check import Checked
    from sessionkit.ops.failed import Failed

_COMMANDS = {Severity.BRICKS: Command.ERROR, Severity.DEGRADES: Command.WARNING}


class CheckGithub(CheckReport):
    """An annotation for each finding; for each note too when verbose, or when --fail-on asks for it."""

    is_for_programs = True

    def __init__(self, how: Manner, bar: Bar) -> None:
        super().__init__(how, bar)
        self._annotations = Annotations(how.voice)

    def tell(self, result: Checked) -> None:
        """Write the findings of a session, and what was not looked at."""
        path = str(result.source.path)
        for finding in result.findings:
            if self._verbosity is Verbosity.VERBOSE or self._is_told(finding):
                command = _COMMANDS[finding.severity] if finding.counts else Command.NOTICE
                self._annotations.write(command, Place(path, finding.spot.line), finding.fault, "\n".join(_lines(finding)))
        for words in result.unseen:
            self._annotations.write(Command.NOTICE, Place(path), "check", words)

    def fail(self, failed: Failed) -> None:
        """Write that a session could not be checked."""
        self._annotations.failure(failed)

    def close(self, code: ExitCode) -> None:
        """The exit code fails the step."""


def _lines(finding: Finding) -> Iterator[str]:
    at = f" (at {without_base64(finding.spot.pointer)})" if finding.spot.pointer else ""
    yield f"{without_base64(finding.cause)}{at}"
    if finding.image:
        yield image_words(finding.image)
    if finding.wire:
        yield f"in the next request: {finding.wire}"
    yield cure_words(finding)
