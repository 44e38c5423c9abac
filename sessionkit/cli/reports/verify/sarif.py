"""`verify` as SARIF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.printable import without_base64
from sessionkit.cli.reports.jsonlines import Record, text
from sessionkit.cli.reports.sarif import Sarif, location
from sessionkit.cli.reports.verify.base import Result, VerifyReport
from sessionkit.ops.findings import FindingKind

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.errors import ExitCode
    from sessionkit.ops.failed import Failed
    from sessionkit.ops.findings import Finding
    from sessionkit.ops.verify import Reading

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
    """One document."""

    is_for_programs = True

    def __init__(self, how: Manner, reading: Reading) -> None:
        super().__init__(how, reading)
        self._document = Sarif(how.voice, rules())

    def tell(self, result: Result) -> None:
        """Keep the findings and notes of a session or a store."""
        self._document.add(*(_result(finding) for finding in (*result.findings.kept, *result.notes.kept)))

    def fail(self, failed: Failed) -> None:
        """Keep why a session failed."""
        self._document.failure(failed)

    def close(self, code: ExitCode) -> None:
        """Write the document."""
        if self._caveat:
            self._document.caveat(self._caveat)
        self._document.write(code)


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
        "locations": [location(finding.place)],
    }
