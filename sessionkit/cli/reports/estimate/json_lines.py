"""`estimate` as JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.reports.estimate.base import EstimateReport
from sessionkit.cli.reports.jsonlines import JsonLines, Record, text

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.core.model import Origin
    from sessionkit.errors import ExitCode
    from sessionkit.ops.estimate import By, Count, Estimated, Options
    from sessionkit.ops.failed import Failed


class EstimateJson(EstimateReport):
    """Records by the schema of `estimate`."""

    is_for_programs = True

    def __init__(self, how: Manner, options: Options, by: By | None) -> None:
        super().__init__(how, options, by)
        self._lines = JsonLines(how.voice, "estimate")

    def tell(self, result: Estimated) -> None:
        """Write the record of a session."""
        where = {"status": "over" if result.fails else "ok", "format": result.format}
        figures = {**_count(result.count), **_bytes(result), **_gate(result), **self._parts(result), **_remarks(result)}
        self._lines.session(result.source, {**where, **figures})

    def fail(self, failed: Failed) -> None:
        """Write that a session failed, and why."""
        self._lines.failure(failed)

    def close(self, code: ExitCode) -> None:
        """Write the summary."""
        sums = self._sums
        record = {
            "messages": sums.messages,
            "tokens": sums.tokens,
            "by_kind": {kind.value: tokens for kind, tokens in sums.kinds.items()},
            "context": sums.context,
            "anchored": sums.anchored,
            "base64_as_text": sums.base64_as_text,
            "request_bytes": sums.request_bytes,
            "base64_bytes": sums.base64_bytes,
            "images": sums.images,
            "documents": sums.documents,
            "over": sums.over if self._options.window else None,
        }
        self._lines.summary(record, code)

    def _parts(self, result: Estimated) -> Record:
        profiles = [{"profile": one.profile, "tokens": one.total, "context": one.context} for one in result.profiles]
        if self._by is None:
            return {"profiles": profiles}
        rows = [{"key": row.key, "tokens": row.tokens, **(_place(row.origin) if row.origin else {})} for row in result.count.rows(self._by)]
        return {"profiles": profiles, "by": self._by.value, "rows": rows}


def _count(count: Count) -> Record:
    anchor = count.anchor
    return {
        "profile": count.profile,
        "image_tokens": count.constant,
        "messages": len(count.seen),
        "tokens": count.total,
        "by_kind": {kind.value: tokens for kind, tokens in count.by_kind().items()},
        "context": count.context,
        "anchor": {"message": anchor.index, "tokens": anchor.tokens, "kind": anchor.kind.value} if anchor else None,
    }


def _bytes(result: Estimated) -> Record:
    return {
        "base64_as_text": result.base64_as_text,
        "request_bytes": result.wire,
        "base64_bytes": result.media.base64,
        "images": result.media.images,
        "documents": result.media.documents,
        "spilled": result.media.spilled,
    }


def _gate(result: Estimated) -> Record:
    gate = result.gate
    return {"gate": {"name": gate.gate, "window": gate.window, "threshold": gate.threshold, "fires": gate.fires}}


def _remarks(result: Estimated) -> Record:
    notes = [{"kind": note.kind.value, **_place(note.origin), "cause": text(note.cause)} for note in result.notes]
    return {"notes": notes, "skipped": [{**_place(skip.origin), "cause": text(skip.cause)} for skip in result.skipped]}


def _place(origin: Origin) -> Record:
    return {"line": origin.line or None, "entry": text(origin.entry), "pointer": text(origin.pointer)}
