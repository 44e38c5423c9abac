"""What all reports of `gallery` have: the sums."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sessionkit.cli.conduct import Report
from sessionkit.dataclass import dataclass, field

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.cli.pages import Drawn
    from sessionkit.cli.pages.sheet import Sheet
    from sessionkit.errors import ExitCode


@dataclass(slots=True)
class GalleryTotals:
    """Sums over all sessions that are in the page."""

    sessions: int = 0
    images: int = 0
    references: int = 0
    empty: int = 0
    hidden: int = 0
    findings: Counter[str] = field(default_factory=Counter)

    def add(self, drawn: Drawn) -> None:
        """Add a session."""
        self.sessions += 1
        for figure in ("images", "references", "empty", "hidden"):
            setattr(self, figure, getattr(self, figure) + getattr(drawn, figure))
        self.findings += drawn.findings


class GalleryReport(Report["Drawn"]):
    """Keeps the sums, and says nothing."""

    def __init__(self, how: Manner, sheet: Sheet) -> None:
        self._voice = how.voice
        self._sheet = sheet
        self._sums = GalleryTotals()

    def add(self, result: Drawn) -> None:
        """Add to the sums, and tell."""
        self._sums.add(result)
        self.tell(result)

    def tell(self, result: Drawn) -> None:
        """Tell of a session."""

    def close(self, code: ExitCode) -> None:
        """Sum up."""
