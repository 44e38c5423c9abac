"""`compact` as JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.conduct import Report
from sessionkit.cli.reports.compact.base import CompactReport
from sessionkit.cli.reports.compact.figures import figure_records, media_records
from sessionkit.cli.reports.compact.outcomes import outcome_record, position, summary_input
from sessionkit.cli.reports.jsonlines import JsonLines, Record, text
from sessionkit.cli.reports.messages.elision import without_base64
from sessionkit.cli.reports.messages.json_lines import message_record
from sessionkit.compaction.base import Compat
from sessionkit.ops.compact import History, Others
from sessionkit.ops.messages import View

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.cli.reports.messages.json_lines import Look
    from sessionkit.compaction.base import Settings
    from sessionkit.compaction.recorded import Recorded
    from sessionkit.core.model import Media, Skipped
    from sessionkit.errors import ExitCode
    from sessionkit.ops.compact import Compacted, Compared, Open, Options
    from sessionkit.ops.failed import Failed


class CompactJson(CompactReport):
    """Records by the schema of `compact`."""

    is_for_programs = True

    def __init__(self, how: Manner, options: Options) -> None:
        super().__init__(how)
        self._lines = JsonLines(how.voice, "compact")
        self._options = options

    def tell(self, result: Compacted) -> None:
        """Write the record of a session, without looking at any medium."""
        self._write(result, _as_told)

    def add_open(self, result: Open) -> None:
        """Add a session whose media can be looked at."""
        self._sums.add(result.compacted)
        self._write(result.compacted, result.viewer.view)

    def _write(self, result: Compacted, look: Look) -> None:
        record = {
            "status": "nothing" if result.reason else "planned",
            "format": result.format,
            "strategy": result.strategy,
            "profile": result.profile,
            "options": _options(result.settings, self._options),
            "compat": result.settings.compat is Compat.UPSTREAM,
            **outcome_record(result, look),
            **figure_records(result),
            "requests": [summary_input(request, look) for request in result.requests] or None,
            "projection": _projection(result, look),
            "media": media_records(result.media),
            "strategies": self._compared(result),
            "recorded": self._recorded(result),
            "warnings": [{"kind": note.kind.value, "cause": text(note.cause)} for note in result.notes],
            "skipped": [_skipped(skip) for skip in result.skipped],
        }
        self._lines.session(result.source, record)

    def fail(self, failed: Failed) -> None:
        """Write that a session failed, and why."""
        self._lines.failure(failed)

    def close(self, code: ExitCode) -> None:
        """Write the summary."""
        sums = self._sums
        record = {
            "planned": sums.planned,
            "nothing": {reason.value: number for reason, number in sums.reasons.items()},
            "fires": sums.fires if self._options.window else None,
            "tokens": sums.tokens,
            "gone": sums.gone,
            "images": sums.images,
            "images_gone": sums.images_gone,
        }
        self._lines.summary(record, code)

    def _compared(self, result: Compacted) -> list[Record] | None:
        return [_row(one) for one in result.compared] if self._options.telling.others is Others.COMPARED else None

    def _recorded(self, result: Compacted) -> list[Record] | None:
        return [_recording(one) for one in result.recorded] if self._options.telling.history is History.RECORDED else None


class OpenJson(Report["Open"]):
    """The same of a session whose media can be looked at."""

    is_for_programs = True

    def __init__(self, how: Manner, options: Options) -> None:
        self._report = CompactJson(how, options)

    def add(self, result: Open) -> None:
        """Write the record of the session."""
        self._report.add_open(result)

    def fail(self, failed: Failed) -> None:
        """Write that it failed, and why."""
        self._report.fail(failed)

    def close(self, code: ExitCode) -> None:
        """Write the summary."""
        self._report.close(code)


def _as_told(media: Media) -> View:
    """Tell of a medium what the session says."""
    return View(media.media_type, media.size)


def _options(settings: Settings, options: Options) -> Record:
    compactable = settings.compactable
    return {
        "keep_recent_tokens": settings.keep_recent_tokens,
        "marker": settings.marker.value if settings.marker else None,
        "image_tokens": settings.image_tokens,
        "tool_chars": settings.tool_chars,
        "fraction": float(settings.fraction),
        "retain_rounds": settings.retain_rounds,
        "trigger": settings.trigger.value if settings.trigger else None,
        "keep_recent": settings.keep_recent,
        "compactable": None if compactable is None else sorted(map(text, compactable)),
        "tombstones": options.tombstones.most if options.tombstones else None,
        "provider": options.provider.id if options.provider else None,
    }


def _projection(result: Compacted, look: Look) -> Record | None:
    projected = result.projected
    if projected is None:
        return None
    boundary = projected.boundary
    return {
        "messages": [message_record(message, look) for message in projected.messages],
        "boundary": {"epoch": boundary.epoch, "kept_from": boundary.kept_from, "planned_at": boundary.planned_at} if boundary else None,
        "wire": text(without_base64(projected.wire)) or None,
    }


def _skipped(skip: Skipped) -> Record:
    origin = skip.origin
    return {"line": origin.line or None, "entry": text(origin.entry), "pointer": text(origin.pointer), "cause": text(skip.cause)}


def _row(one: Compared) -> Record:
    return {
        "strategy": one.strategy,
        "reason": one.reason.value if one.reason else None,
        "cut": position(one.cut),
        "split_turn": one.is_split,
        "gone": one.gone,
        "stays": one.stays,
        "images": one.images,
        "media_bytes": one.media_bytes,
        "input_tokens": one.input_tokens,
    }


def _recording(one: Recorded) -> Record:
    return {
        "kind": one.kind.value,
        "line": one.origin.line or None,
        "entry": text(one.origin.entry),
        "trigger": text(without_base64(one.trigger)) or None,
        "tokens_before": one.tokens_before,
        "tokens_after": one.tokens_after,
        "kept": one.kept,
        "first_kept": text(one.first_kept) or None,
        "summary_tokens": one.summary_tokens,
        "images_before": one.images_before,
        "images_after": one.images_after,
    }
