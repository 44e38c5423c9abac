"""`scan` as JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sessionkit.cli.reports.jsonlines import JsonLines, Record, text
from sessionkit.cli.reports.scan.base import ScanReport

if TYPE_CHECKING:
    from collections import Counter

    from sessionkit.cli.conduct import Manner
    from sessionkit.cli.reports.scan.base import Choices
    from sessionkit.errors import ExitCode
    from sessionkit.ops.failed import Failed
    from sessionkit.ops.scan import Scanned, Tally


class ScanJson(ScanReport):
    """Records by the schema of `scan`."""

    is_for_programs = True

    def __init__(self, how: Manner, choices: Choices) -> None:
        super().__init__(how, choices)
        self._lines = JsonLines(how.voice, "scan")

    def tell(self, result: Scanned) -> None:
        """Write the record of a session."""
        status = "refused" if result.kinds() & self._choices.fail_on else "ok"
        where = {"status": status, "format": result.format}
        has = {"has": sorted(result.kinds())}
        self._lines.session(result.source, {**where, **_figures(result.tally), **has, **_lists(result.tally)})

    def fail(self, failed: Failed) -> None:
        """Write that a session failed, and why."""
        self._lines.failure(failed)

    def close(self, code: ExitCode) -> None:
        """Write the summary."""
        sums = self._sums
        record = {
            "formats": _counted(sums.formats),
            "bytes": sums.kinds.total(),
            "lines": sums.lines,
            "entries": sums.entries,
            "kinds": _counted(sums.kinds),
            "sites": sums.sites,
            "images": sums.images,
            "taken": sums.taken,
            "unique": len(sums.assets),
            "duplication": round(sums.duplication, 3),
            "repeated_bytes": sums.repeated,
            "references": sums.references,
            "stays": _counted(sums.stays),
            "faults": _counted(sums.faults),
            "has": _counted(sums.has),
            "refused": _counted(self.refused()),
        }
        self._lines.summary(record, code)


def _figures(tally: Tally) -> Record:
    return {
        "bytes": tally.bytes,
        "lines": tally.lines,
        "blank": tally.blank,
        "entries": tally.entries,
        "glued": tally.glued,
        "kinds": _counted(tally.kinds),
        "sites": tally.sites,
        "images": tally.images,
        "taken": tally.taken,
        "unique": tally.unique,
        "duplication": round(tally.duplication, 3),
        "repeated_bytes": tally.repeated,
        "references": tally.references,
        "spilled": len(tally.spilled),
        "odd_references": tally.odd_references,
        "text_base64": tally.text_base64,
        "stays": _counted(tally.stays),
        "faults": _counted(tally.faults),
        "foreign": {text(tool): number for tool, number in sorted(tally.foreign.items())},
    }


def _lists(tally: Tally) -> Record:
    biggest = [{"line": line.line, "bytes": line.bytes, "kinds": _counted(line.kinds)} for line in tally.biggest]
    sightings = [
        {"kind": sighting.kind.value, "line": sighting.line, "pointer": text(sighting.pointer), "cause": text(sighting.cause)}
        for sighting in tally.sightings
    ]
    return {"biggest": biggest, "sightings": sightings}


def _counted(counter: Counter[Any]) -> dict[str, int]:
    """Write the counts in the order of their keys: the kinds of a session come from a set, whose order changes from run to run."""
    return {str(key): number for key, number in sorted(counter.items()) if number}
