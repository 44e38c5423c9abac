"""What `compact` tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.reports.compact.base import CompactReport
from sessionkit.cli.voice import Verbosity
from sessionkit.ops.compact import History, Others

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.ops.compact import Options

__all__ = ["CompactReport", "report_for"]


def report_for(how: Manner, options: Options, sessions: int, as_json: bool) -> CompactReport:
    """Choose a report: of one session all that is known, of several a row each; or what was asked for instead."""
    if as_json:
        from sessionkit.cli.reports.compact.json_lines import CompactJson

        return CompactJson(how, options)
    if how.verbosity is Verbosity.QUIET:
        return CompactReport(how)
    telling = options.telling
    if telling.others is Others.COMPARED or telling.history is History.RECORDED:
        from sessionkit.cli.reports.compact.tables import CompactTables

        return CompactTables(how, telling)
    if sessions == 1 or how.verbosity is Verbosity.VERBOSE:
        from sessionkit.cli.reports.compact.plain import CompactText

        return CompactText(how)
    from sessionkit.cli.reports.compact.rows import CompactRows

    return CompactRows(how)
