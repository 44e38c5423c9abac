"""`rehydrate` as JSON Lines."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sessionkit.cli.reports.jsonlines import JsonLines, Record, name, text
from sessionkit.cli.reports.rehydrate.base import RehydrateReport, verdict
from sessionkit.cli.reports.rehydrate.words import sentence, way
from sessionkit.cli.voice import Voice
from sessionkit.core.model import Stored

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sessionkit.core.model import Origin
    from sessionkit.ops.rehydrate import Rehydrated, Unsendable
    from sessionkit.providers.checks import Excess, Seen
    from sessionkit.providers.replay import Fault, Note


class RehydrateRecords(RehydrateReport):
    """A record for each note, fault and limit, and a summary."""

    def __init__(self, session: str) -> None:
        self._session = session
        self._lines = JsonLines(Voice(sys.stdout), "rehydrate")

    def refuse(self, result: Unsendable) -> None:
        """Write the notes and the faults."""
        self._write("note", result.notes)
        self._write("fault", result.faults)
        counts = {"notes": len(result.notes), "faults": len(result.faults), "breaches": 0, "doubts": 0}
        body = {"bytes": None, "media": None, "output": None, "written": False}
        target = {"provider": result.provider.id, "vendor": None, "api": None, "model": None, "vision": None}
        self._lines.write("summary", {"session": name(self._session), **target, **body, **counts, "exit_code": int(verdict(result))})

    def describe(self, result: Rehydrated) -> None:
        """Write the notes and the limits."""
        self._write("note", result.notes)
        for kind, excesses in (("breach", result.verdict.breaches), ("doubt", result.verdict.doubts)):
            for excess in excesses:
                self._lines.write(kind, _excess(excess, result))

    def close(self, result: Rehydrated, file: Path | None, size: int | None) -> None:
        """Write the summary."""
        target, found = result.target, result.verdict
        self._lines.write(
            "summary",
            {
                "session": name(self._session),
                "provider": result.provider.id,
                "vendor": text(target.vendor),
                "api": target.api,
                "model": text(target.model) or None,
                "vision": target.sees,
                "bytes": found.size,
                "media": len(found.media),
                "output": name(file) if file else None,
                "written": size is not None,
                "notes": len(result.notes),
                "faults": 0,
                "breaches": len(found.breaches),
                "doubts": len(found.doubts),
                "exit_code": int(verdict(result)),
            },
        )

    def _write(self, kind: str, remarks: Iterable[Note | Fault]) -> None:
        for remark in remarks:
            self._lines.write(kind, {"cause": text(remark.text), **_place(remark.origin)})


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
