"""`check` as SARIF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.printable import without_base64
from sessionkit.cli.reports.check.base import CheckReport
from sessionkit.cli.reports.findings import cure_words, finding_record
from sessionkit.cli.reports.jsonlines import Record, text
from sessionkit.cli.reports.sarif import Sarif, location
from sessionkit.errors import Place
from sessionkit.faults import FAULTS
from sessionkit.faults.base import Severity

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.cli.reports.check.base import Bar
    from sessionkit.errors import ExitCode
    from sessionkit.faults.base import Finding, Spot
    from sessionkit.ops.check import Checked
    from sessionkit.ops.failed import Failed

_LEVELS = {Severity.BRICKS: "error", Severity.DEGRADES: "warning"}
_INDEX = {fault.id: index for index, fault in enumerate(FAULTS)}
_PROPERTIES = ("severity", "live", "image", "wire_path", "cure", "obstacle", "option")


class CheckSarif(CheckReport):
    """One document; notes are of the level `note`."""

    is_for_programs = True

    def __init__(self, how: Manner, bar: Bar) -> None:
        super().__init__(how, bar)
        self._document = Sarif(how.voice, rules())

    def tell(self, result: Checked) -> None:
        """Keep the findings of a session, and what was not looked at."""
        path = str(result.source.path)
        self._document.add(*(_result(finding, path) for finding in result.findings))
        for words in result.unseen:
            self._document.caveat(words, Place(path))

    def fail(self, failed: Failed) -> None:
        """Keep why a session failed."""
        self._document.failure(failed)

    def close(self, code: ExitCode) -> None:
        """Write the document."""
        self._document.write(code)


def rules() -> list[Record]:
    """One rule for each fault, with its page as help."""
    return [{"id": fault.id, "shortDescription": {"text": f"{fault.title}."}, "help": {"text": fault.page}} for fault in FAULTS]


def _result(finding: Finding, path: str) -> Record:
    record = finding_record(finding)
    return {
        "ruleId": finding.fault,
        "ruleIndex": _INDEX[finding.fault],
        "level": _LEVELS[finding.severity] if finding.counts else "note",
        "message": {"text": text(f"{without_base64(finding.cause)}; {cure_words(finding)}")},
        "locations": [_location(finding.spot, path)],
        "relatedLocations": [_location(twin, path) for twin in finding.twins],
        "properties": {name: record[name] for name in _PROPERTIES},
    }


def _location(spot: Spot, path: str) -> Record:
    return location(Place(path, spot.line, without_base64(spot.pointer)))
