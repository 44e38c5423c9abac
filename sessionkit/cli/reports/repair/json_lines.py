"""`repair` as JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.printable import without_base64
from sessionkit.cli.reports.findings import finding_record
from sessionkit.cli.reports.jsonlines import JsonLines, Record, name, text
from sessionkit.cli.reports.repair.base import RepairReport
from sessionkit.ops.repair import Alike, Picture

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sessionkit.cli.conduct import Manner
    from sessionkit.core.assets import AssetName
    from sessionkit.errors import ExitCode
    from sessionkit.ops.failed import Failed
    from sessionkit.ops.repair import Left, Options, Repaired, Request, Step, Treated, Words


class RepairJson(RepairReport):
    """Records by the schema of `repair`: sessions, and a summary."""

    is_for_programs = True

    def __init__(self, how: Manner, options: Options) -> None:
        super().__init__(how, options)
        self._lines = JsonLines(how.voice, "repair")

    def tell(self, result: Repaired) -> None:
        """Write the record of a session."""
        target, prognosis = result.transfer.target, result.prognosis
        written = {
            "status": "planned" if self._is_dry else result.outcome.name.lower(),
            "target": name(target) if target else "-",
            "store": name(result.store),
            "backup": name(result.backup) if result.backup else None,
            "journal": name(result.journal) if result.journal else None,
            "busy": text(prognosis.busy) or None,
            "other_names": prognosis.other_names,
        }
        told = {
            "format": prognosis.format,
            "profile": prognosis.profile,
            "clean": prognosis.is_clean,
            "bytes_before": prognosis.before,
            "bytes_after": prognosis.after,
            "cured": [_cured(treated) for treated in prognosis.treated],
            "left": [_left(left) for left in prognosis.left],
            "more_left": prognosis.more,
            "kept": _kept(prognosis.assets),
            "request": _request(prognosis.request) if prognosis.request else None,
            "unseen": list(prognosis.unseen),
            "absent": list(prognosis.absent),
            "astray": without_base64(text(prognosis.astray)) or None,
        }
        self._lines.session(result.transfer.source, {**written, **told})

    def fail(self, failed: Failed) -> None:
        """Write that a session failed, and why."""
        self._lines.failure(failed)

    def close(self, code: ExitCode) -> None:
        """Write the summary."""
        sums = self._sums
        figures: Record = {
            "unchanged": sums.unchanged,
            "dry_run": self._is_dry,
            "cured": sums.cured,
            "left": sums.left,
            "notes": sums.notes,
            "ill": sums.ill,
            "bytes_before": sums.before,
            "bytes_after": sums.after,
            "kept": len(sums.kept),
            "kept_bytes": sum(sums.kept.values()),
        }
        self._lines.summary(figures, code)


def _cured(treated: Treated) -> Record:
    return {**finding_record(treated.finding), "steps": [_step(step) for step in treated.steps]}


def _left(left: Left) -> Record:
    return {**finding_record(left.finding), "why": without_base64(text(left.why)) or None}


def _step(step: Step) -> Record:
    return {
        "line": step.line,
        "pointer": without_base64(text(step.pointer)),
        "before": _sight(step.before) if step.before else None,
        "after": _sight(step.after) if step.after else None,
        "asset": step.asset or None,
    }


def _sight(sight: Picture | Words) -> Record:
    if isinstance(sight, Picture):
        size = {"width": sight.size.width if sight.size else None, "height": sight.size.height if sight.size else None}
        return {"media_type": sight.media_type, "bytes": sight.bytes, "sha256": sight.sha256, **size, "text": None}
    nothing = {"media_type": None, "sha256": None, "width": None, "height": None}
    return {**nothing, "bytes": sight.bytes, "text": without_base64(text(sight.text))}


def _kept(assets: Mapping[AssetName, int]) -> list[Record]:
    return [{"asset": asset.reference, "bytes": size} for asset, size in assets.items()]


def _request(request: Request) -> Record:
    return {
        "same": request.alike is Alike.SAME,
        "provider": request.provider,
        "bytes_before": request.bytes_before,
        "bytes_after": request.bytes_after,
        "path": request.way or None,
        "line": request.line or None,
        "billed_again_tokens": request.again,
    }
