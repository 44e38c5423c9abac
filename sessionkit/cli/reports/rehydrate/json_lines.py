"""`rehydrate` as JSON Lines."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

from sessionkit.cli.reports.jsonlines import JsonLines, Record, error_record, name, text
from sessionkit.cli.reports.rehydrate.base import RehydrateReport, verdict
from sessionkit.cli.reports.rehydrate.words import sentence, way
from sessionkit.cli.voice import Voice
from sessionkit.core.model import Stored

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.model import Origin
    from sessionkit.errors import ExitCode, SessionkitError
    from sessionkit.ops.rehydrate import Rehydrated, Unsendable
    from sessionkit.providers.checks import Excess, Seen


_COUNTED = {"notes": "note", "skipped": "skipped", "faults": "fault", "breaches": "breach", "doubts": "doubt", "failed": "session"}
"""What the summary calls the number of records of a type."""
_NO_BODY: Record = {
    **dict.fromkeys(("vendor", "api", "model", "vision", "bytes", "media", "output")),
    "written": False,
}


class RehydrateRecords(RehydrateReport):
    """A record for each note, fault and limit, for what was passed over, and a summary."""

    def __init__(self, session: str) -> None:
        self._session = session
        self._lines = JsonLines(Voice(sys.stdout), "rehydrate")
        self._written: Counter[str] = Counter()

    def refuse(self, result: Unsendable) -> None:
        """Write the notes and the faults."""
        self._write_remarks(result)
        for fault in result.faults:
            self._write("fault", {"cause": text(fault.text), **_place(fault.origin)})
        self._sum_up(result.provider.id, _NO_BODY, verdict(result))

    def describe(self, result: Rehydrated) -> None:
        """Write the notes and the limits."""
        self._write_remarks(result)
        for kind, excesses in (("breach", result.verdict.breaches), ("doubt", result.verdict.doubts)):
            for excess in excesses:
                self._write(kind, _excess(excess, result))

    def close(self, result: Rehydrated, file: Path | None, size: int | None) -> None:
        """Write the summary."""
        target, found = result.target, result.verdict
        body: Record = {
            "vendor": text(target.vendor),
            "api": target.api,
            "model": text(target.model) or None,
            "vision": target.sees,
            "bytes": found.size,
            "media": len(found.media),
            "output": name(file) if file else None,
            "written": size is not None,
        }
        self._sum_up(result.provider.id, body, verdict(result))

    def fail(self, error: SessionkitError, provider: str | None) -> None:
        """Write the error, and a summary."""
        failed: Record = {"session": name(self._session), "status": "failed", "error": error_record(error), "left_out": []}
        self._write("session", failed)
        self._sum_up(None if provider is None else text(provider), _NO_BODY, error.exit_code)

    def _write_remarks(self, result: Rehydrated | Unsendable) -> None:
        for note in result.notes:
            self._write("note", {"cause": text(note.advised), **_place(note.origin)})
        for skip in result.skipped:
            self._write("skipped", {"cause": text(skip.cause), **_place(skip.origin)})

    def _write(self, kind: str, record: Record) -> None:
        self._written[kind] += 1
        self._lines.write(kind, record)

    def _sum_up(self, provider: str | None, body: Record, code: ExitCode) -> None:
        counts = {plural: self._written[kind] for plural, kind in _COUNTED.items()}
        about = {"session": name(self._session), "provider": provider}
        self._lines.write("summary", {**about, **body, **counts, "exit_code": int(code)})


def _excess(excess: Excess, result: Rehydrated) -> Record:
    return {
        "rule": excess.rule.value,
        "measured": excess.measured,
        "allowed": excess.allowed,
        "cause": text(sentence(excess, result.provider)),
        "path": way(result.numbered(excess.spot.steps)),
        **_place(excess.spot.origin),
        "medium": _medium(excess.spot.seen) if excess.spot.seen else None,
    }


def _medium(seen: Seen) -> Record:
    source, facts = seen.media.source, seen.facts
    return {
        "asset": source.asset.reference if isinstance(source, Stored) else None,
        "media_type": facts.type.mime,
        "width": facts.size.width if facts.size else None,
        "height": facts.size.height if facts.size else None,
        "bytes": facts.bytes,
        "sha256": facts.sha256,
    }


def _place(origin: Origin) -> Record:
    return {"line": origin.line or None, "entry": text(origin.entry), "pointer": text(origin.pointer)}
