"""What `estimate` tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.reports.estimate.base import EstimateReport
from sessionkit.cli.voice import Verbosity

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.ops.estimate import By, Options

__all__ = ["EstimateReport", "report_for"]


def report_for(how: Manner, options: Options, by: By | None, as_json: bool) -> EstimateReport:
    """Choose a report; `by` tells what the estimate of each session is split by."""
    if as_json:
        from sessionkit.cli.reports.estimate.json_lines import EstimateJson

        return EstimateJson(how, options, by)
    if how.verbosity is Verbosity.QUIET:
        return EstimateReport(how, options, by)
    from sessionkit.cli.reports.estimate.plain import EstimateText

    return EstimateText(how, options, by)
