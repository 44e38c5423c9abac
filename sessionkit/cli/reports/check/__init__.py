"""What `check` tells: as text, JSON Lines, GitHub annotations or SARIF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.forms import Form

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.cli.reports.check.base import Bar, CheckReport


def report_for(how: Manner, form: Form, bar: Bar) -> CheckReport:
    """Choose a report."""
    match form:
        case Form.TEXT:
            from sessionkit.cli.reports.check.plain import CheckText

            return CheckText(how, bar)
        case Form.JSON:
            from sessionkit.cli.reports.check.json_lines import CheckJson

            return CheckJson(how, bar)
        case Form.GITHUB:
            from sessionkit.cli.reports.check.github import CheckGithub

            return CheckGithub(how, bar)
        case Form.SARIF:
            from sessionkit.cli.reports.check.sarif import CheckSarif

            return CheckSarif(how, bar)
