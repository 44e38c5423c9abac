"""What `scan` tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.reports.scan.base import Choices, ScanReport
from sessionkit.cli.voice import Verbosity

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner

__all__ = ["Choices", "ScanReport", "report_for"]


def report_for(how: Manner, choices: Choices, as_json: bool) -> ScanReport:
    """Choose a report."""
    if as_json:
        from sessionkit.cli.reports.scan.json_lines import ScanJson

        return ScanJson(how, choices)
    if how.verbosity is Verbosity.QUIET:
        return ScanReport(how, choices)
    from sessionkit.cli.reports.scan.plain import ScanText

    return ScanText(how, choices)
