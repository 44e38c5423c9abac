"""What is to be told of a preview."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.reports.compact.plotted import Sheet
from sessionkit.dataclass import dataclass
from sessionkit.errors import UsageError
from sessionkit.ops.compact import History, Images, Messages, Others, Show, Telling
from sessionkit.ops.outputs import Existing

if TYPE_CHECKING:
    from pathlib import Path

_PICTURES = frozenset({".svg", ".png"})


@dataclass(frozen=True, slots=True)
class Wants:
    """What is to be told."""

    show: str | None
    compare: bool
    recorded: bool
    plot: Sheet | None
    as_json: bool
    is_one: bool

    def require_one(self, given: dict[str, object]) -> None:
        """Refuse what makes sense of one session only, and what is shown instead of each other."""
        for name, value in given.items():
            if value is not None and not self.is_one:
                raise UsageError(f"{name} is for one session", hint="name one file, or leave it out")
        others = [name for name, wanted in (("--compare", self.compare), ("--recorded", self.recorded)) if wanted]
        if self.show and others and not self.as_json:
            raise UsageError(f"--show and {others[0]} are told apart", hint="choose one of the two, or add --json")

    def is_open(self, summary: Path | None) -> bool:
        """Whether messages are told, whose media have to be looked at."""
        return self.show is not None or (self.as_json and summary is not None)

    def telling(self, summary: Path | None) -> Telling:
        """Tell the operation."""
        shown = {"input": Show.INPUT, "projection": Show.PROJECTION}
        default = Show.PROJECTION if self.is_open(summary) else Show.FIGURES
        return Telling(
            shown.get(self.show or "", default),
            Images.NAMED if self.as_json or self.is_one else Images.COUNTED,
            Messages.LISTED if self.plot else Messages.SUMMED,
            Others.COMPARED if self.compare else Others.NO,
            History.RECORDED if self.recorded else History.NO,
        )


def sheet(file: Path | None, force: bool) -> Sheet | None:
    """Take the file of a plot; UsageError for one that is no picture."""
    if file is None:
        return None
    if file.suffix.lower() not in _PICTURES:
        raise UsageError(f"a plot cannot be a {file.suffix or 'file without a suffix'}", hint="name it FILE.svg or FILE.png")
    return Sheet(file, Existing.REPLACE if force else Existing.KEEP)
