"""What `verify` tells: as text, JSON Lines, GitHub annotations or SARIF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.forms import Form

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.cli.reports.verify.base import VerifyReport
    from sessionkit.ops.verify import Reading


def report_for(how: Manner, form: Form, reading: Reading) -> VerifyReport:
    """Choose a report."""
    match form:
        case Form.TEXT:
            from sessionkit.cli.reports.verify.plain import VerifyText

            return VerifyText(how, reading)
        case Form.JSON:
            from sessionkit.cli.reports.verify.json_lines import VerifyJson

            return VerifyJson(how, reading)
        case Form.GITHUB:
            from sessionkit.cli.reports.verify.github import VerifyGithub

            return VerifyGithub(how, reading)
        case Form.SARIF:
            from sessionkit.cli.reports.verify.sarif import VerifySarif

            return VerifySarif(how, reading)
