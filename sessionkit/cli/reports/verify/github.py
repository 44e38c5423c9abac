"""`verify` as annotations of GitHub Actions, which show beside the files of a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.printable import readable, without_base64
from sessionkit.cli.reports.verify.base import Result, VerifyReport
from sessionkit.cli.voice import Verbosity
from sessionkit.ops.findings import Severity

if TYPE_CHECKING:
    from sessionkit.errors import ExitCode, Place
    from sessionkit.ops.failed import Failed

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


class VerifyGithub(VerifyReport):
    """A workflow command for each finding; for each note too when verbose, since GitHub shows only the first ten of a kind."""

    is_for_programs = True

    def tell(self, result: Result) -> None:
        """Write the findings of a session or a store."""
        notes = result.notes.kept if self._verbosity is Verbosity.VERBOSE else []
        for finding in (*result.findings.kept, *notes):
            asset = f"{without_base64(finding.asset)}: " if finding.asset else ""
            at = f" (at {finding.place.pointer})" if finding.place.pointer else ""
            message = f"{asset}{finding.cause}{at}\nnext: {finding.hint}"
            self._annotate(_COMMANDS[finding.severity], finding.place, finding.kind, message)

    def fail(self, failed: Failed) -> None:
        """Write that a session could not be read."""
        error = failed.error
        why = f": {error.why}" if error.why else ""
        session = f"\nwhile working on {failed.unnamed}" if failed.unnamed else ""
        hint = f"\nnext: {error.hint}" if error.hint else ""
        self._annotate("error", error.place, "failed", without_base64(f"{error.what}{why}{session}{hint}"))

    def _annotate(self, command: str, place: Place | None, kind: str, message: str) -> None:
        properties = {"title": f"sessionkit {kind}"}
        if place is not None:
            properties = {"file": without_base64(readable(place.path)), **({"line": str(place.line)} if place.line else {}), **properties}
        listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
        self._voice.line(f"::{command} {listed}::{_data(message)}")

    def close(self, code: ExitCode) -> None:  # noqa: ARG002  the exit code fails the step
        """Write what the run did not check."""
        if self._caveat:
            self._annotate("notice", None, "verify", self._caveat)


def _data(text: str) -> str:
    """Escape a message as the runner unescapes it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape a property: the signs that end one, too."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
