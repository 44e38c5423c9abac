"""What `gallery` tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.reports.gallery.base import GalleryReport
from sessionkit.cli.voice import Verbosity

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.cli.pages.sheet import Sheet

__all__ = ["GalleryReport", "report_for"]


def report_for(how: Manner, sheet: Sheet, as_json: bool) -> GalleryReport:
    """Choose a report."""
    if as_json:
        from sessionkit.cli.reports.gallery.json_lines import GalleryJson

        return GalleryJson(how, sheet)
    if how.verbosity is Verbosity.QUIET:
        return GalleryReport(how, sheet)
    from sessionkit.cli.reports.gallery.plain import GalleryText

    return GalleryText(how, sheet)
