"""What `gc` tells: as text or JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.voice import Verbosity

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.cli.reports.gc.base import GcReport
    from sessionkit.ops.gc import Options, Plan


def report_for(how: Manner, plan: Plan, as_json: bool) -> GcReport:
    """Choose a report of a collection."""
    if as_json:
        from sessionkit.cli.reports.gc.json_lines import GcJson

        return GcJson(how, plan)
    if how.verbosity is Verbosity.QUIET:
        return _silence()
    from sessionkit.cli.reports.gc.plain import GcText

    return GcText(how, plan)


def report_of_undo(how: Manner, chosen: Options, as_json: bool) -> GcReport:
    """Choose a report of `--undo`."""
    from sessionkit.cli.reports.gc.trash import UndoJson, UndoText

    if how.verbosity is Verbosity.QUIET and not as_json:
        return _silence()
    return (UndoJson if as_json else UndoText)(how, chosen.writing.effect)


def report_of_purge(how: Manner, chosen: Options, as_json: bool) -> GcReport:
    """Choose a report of `--purge-trash`."""
    from sessionkit.cli.reports.gc.trash import PurgeJson, PurgeText

    if how.verbosity is Verbosity.QUIET and not as_json:
        return _silence()
    return (PurgeJson if as_json else PurgeText)(how, chosen.writing.effect)


def _silence() -> GcReport:
    from sessionkit.cli.conduct import Silence

    return Silence()
