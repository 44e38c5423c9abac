"""`gallery` as JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.reports.gallery.base import GalleryReport
from sessionkit.cli.reports.jsonlines import JsonLines, Record, name

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.cli.pages import Drawn
    from sessionkit.cli.pages.sheet import Sheet
    from sessionkit.errors import ExitCode
    from sessionkit.ops.failed import Failed


class GalleryJson(GalleryReport):
    """Records by the schema of `gallery`."""

    is_for_programs = True

    def __init__(self, how: Manner, sheet: Sheet) -> None:
        super().__init__(how, sheet)
        self._lines = JsonLines(how.voice, "gallery")

    def tell(self, result: Drawn) -> None:
        """Write the record of a session."""
        record = {
            "status": "ok",
            "format": result.format,
            "images": result.images,
            "references": result.references,
            "empty": result.empty,
            "unique": result.unique,
            "hidden": result.hidden,
            "findings": dict(result.findings),
        }
        self._lines.session(result.source, record)

    def fail(self, failed: Failed) -> None:
        """Write that a session failed, and why."""
        self._lines.failure(failed)

    def close(self, code: ExitCode) -> None:
        """Write the summary."""
        sums = self._sums
        record: Record = {
            "page": name(self._sheet.file) if self._sheet.file and self._sheet.size else None,
            "bytes": self._sheet.size,
            "images": sums.images,
            "references": sums.references,
            "empty": sums.empty,
            "hidden": sums.hidden,
            "findings": dict(sums.findings),
        }
        self._lines.summary(record, code)
