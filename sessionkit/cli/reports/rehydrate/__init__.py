"""What `rehydrate` tells beside the body that it writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.reports.rehydrate.base import RehydrateReport, verdict

if TYPE_CHECKING:
    from sessionkit.cli.voice import Verbosity

__all__ = ["RehydrateReport", "report_for", "verdict"]


def report_for(session: str, verbosity: Verbosity, as_json: bool) -> RehydrateReport:
    """Choose who tells."""
    if as_json:
        from sessionkit.cli.reports.rehydrate.json_lines import RehydrateRecords

        return RehydrateRecords(session)
    from sessionkit.cli.reports.rehydrate.plain import RehydrateText

    return RehydrateText(session, verbosity)
