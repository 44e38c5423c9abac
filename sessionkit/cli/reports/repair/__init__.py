"""What `repair` tells: as text or JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.voice import Verbosity

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner, Report
    from sessionkit.cli.reports.repair.base import RepairReport
    from sessionkit.ops.repair import Options, Undone
    from sessionkit.ops.writing import Effect


def report_for(how: Manner, options: Options, as_json: bool) -> RepairReport:
    """Choose a report of repairs."""
    if as_json:
        from sessionkit.cli.reports.repair.json_lines import RepairJson

        return RepairJson(how, options)
    if how.verbosity is Verbosity.QUIET:
        from sessionkit.cli.reports.repair.base import RepairReport

        return RepairReport(how, options)
    from sessionkit.cli.reports.repair.plain import RepairText

    return RepairText(how, options)


def report_of_undo(how: Manner, effect: Effect, as_json: bool) -> Report[Undone]:
    """Choose a report of what is put back."""
    from sessionkit.cli.conduct import Silence
    from sessionkit.cli.reports.repair.undone import UndoJson, UndoText

    if as_json:
        return UndoJson(how.voice, effect)
    return Silence() if how.verbosity is Verbosity.QUIET else UndoText(how.voice, effect)
