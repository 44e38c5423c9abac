"""`verify` as SARIF 2.1.0, the format of code scanning."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from sessionkit import __version__
from sessionkit.cli.printable import without_base64
from sessionkit.cli.reports.jsonlines import Record, text
from sessionkit.cli.reports.verify.base import Result, VerifyReport
from sessionkit.ops.findings import FindingKind

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.errors import ExitCode, Place
    from sessionkit.ops.failed import Failed
    from sessionkit.ops.findings import Finding
    from sessionkit.ops.verify import Reading

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_RULES = {
    FindingKind.ASSET_MISSING: "A reference names an asset that the store does not hold.",
    FindingKind.ASSET_CORRUPT: "The bytes of an asset do not hash to its name.",
    FindingKind.ASSET_UNREADABLE: "An asset cannot be read.",
    FindingKind.ASSET_TYPE: "The content of an asset has another type than its extension says.",
    FindingKind.ASSET_SIZE: "A picture has other pixels than its reference says.",
    FindingKind.ASSET_UNDECODABLE: "A picture cannot be decoded.",
    FindingKind.ASSET_ORPHAN: "No session names this asset.",
    FindingKind.ODD_REFERENCE: "What looks like a reference is none, and cannot be restored.",
    FindingKind.INLINE_MEDIA: "Media still stand in the line.",
    FindingKind.BAD_LINE: "A line is not JSON.",
    FindingKind.STRANGER: "A file in a store is no asset.",
    FindingKind.ORPHANS_UNKNOWN: "Orphans cannot be told, because a file cannot be read.",
}
_INDEX = {kind: index for index, kind in enumerate(_RULES)}


class VerifySarif(VerifyReport):
    """One document, written at the end; sessions that failed, and what was not checked, are notifications in it."""

    is_for_programs = True

    def __init__(self, how: Manner, reading: Reading) -> None:
        super().__init__(how, reading)
        self._results: list[Record] = []
        self._failures: list[Record] = []

    def tell(self, result: Result) -> None:
        """Keep the findings and notes of a session or a store."""
        self._results += [_result(finding) for finding in (*result.findings.kept, *result.notes.kept)]

    def fail(self, failed: Failed) -> None:
        """Keep why a session failed."""
        error = failed.error
        session = f", while working on {failed.unnamed}" if failed.unnamed else ""
        message = without_base64(f"{error.what}{': ' + error.why if error.why else ''}{session}")
        locations = [_location(error.place)] if error.place else []
        self._failures.append({"level": "error", "message": {"text": text(message)}, "locations": locations})

    def close(self, code: ExitCode) -> None:
        """Write the document."""
        driver = {"name": "sessionkit", "version": __version__, "rules": rules()}
        caveats = [{"level": "note", "message": {"text": self._caveat}}] if self._caveat else []
        invocation = {
            "executionSuccessful": not self._failures,
            "exitCode": int(code),
            "toolExecutionNotifications": [*self._failures, *caveats],
        }
        run = {"tool": {"driver": driver}, "invocations": [invocation], "columnKind": "unicodeCodePoints", "results": self._results}
        document = json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)
        for line in document.replace("\x7f", "\\u007f").split("\n"):
            self._voice.line(line)


def rules() -> list[Record]:
    """One rule for each kind of finding."""
    return [_rule(kind) for kind in _RULES]


def _rule(kind: FindingKind) -> Record:
    return {"id": kind.value, "shortDescription": {"text": _RULES[kind]}, "defaultConfiguration": {"level": kind.severity.value}}


def _result(finding: Finding) -> Record:
    asset = f"{without_base64(finding.asset)}: " if finding.asset else ""
    return {
        "ruleId": finding.kind.value,
        "ruleIndex": _INDEX[finding.kind],
        "level": finding.severity.value,
        "message": {"text": text(f"{asset}{finding.cause}. Next: {finding.hint}")},
        "locations": [_location(finding.place)],
    }


def _location(place: Place) -> Record:
    physical: Record = {"artifactLocation": {"uri": _uri(place.path)}}
    if place.line:
        physical["region"] = {"startLine": place.line}
    location: Record = {"physicalLocation": physical}
    if place.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": text(place.pointer)}]
    return location


def _uri(path: str) -> str:
    """Relative paths as relative references, absolute ones as file URIs."""
    if Path(path).is_absolute():
        return "file://" + quote(os.fsencode(path))
    quoted = quote(os.fsencode(path))
    return f"./{quoted}" if ":" in quoted.partition("/")[0] else quoted
