"""`verify` as annotations of GitHub Actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.printable import without_base64
from sessionkit.cli.reports.annotations import Annotations, Command
from sessionkit.cli.reports.verify.base import Result, VerifyReport
from sessionkit.cli.voice import Verbosity
from sessionkit.ops.findings import Severity

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.errors import ExitCode
    from sessionkit.ops.failed import Failed
    from sessionkit.ops.verify import Reading

_COMMANDS = {Severity.ERROR: Command.ERROR, Severity.WARNING: Command.WARNING, Severity.NOTE: Command.NOTICE}


class VerifyGithub(VerifyReport):
    """An annotation for each finding; for each note too when verbose."""

    is_for_programs = True

    def __init__(self, how: Manner, reading: Reading) -> None:
        super().__init__(how, reading)
        self._annotations = Annotations(how.voice)

    def tell(self, result: Result) -> None:
        """Write the findings of a session or a store."""
        notes = result.notes.kept if self._verbosity is Verbosity.VERBOSE else []
        for finding in (*result.findings.kept, *notes):
            asset = f"{without_base64(finding.asset)}: " if finding.asset else ""
            at = f" (at {finding.place.pointer})" if finding.place.pointer else ""
            message = f"{asset}{finding.cause}{at}\nnext: {finding.hint}"
            self._annotations.write(_COMMANDS[finding.severity], finding.place, finding.kind, message)

    def fail(self, failed: Failed) -> None:
        """Write that a session could not be read."""
        self._annotations.failure(failed)

    def close(self, code: ExitCode) -> None:  # noqa: ARG002  the exit code fails the step
        """Write what the run did not check."""
        if self._caveat:
            self._annotations.write(Command.NOTICE, None, "verify", self._caveat)
