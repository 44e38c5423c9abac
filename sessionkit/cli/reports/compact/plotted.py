"""A report with a picture of what it tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.conduct import Report
from sessionkit.cli.printable import printable, shorten
from sessionkit.cli.reports.compact.words import aim, place
from sessionkit.cli.sizes import size
from sessionkit.cli.voice import Style, Verbosity, warn
from sessionkit.dataclass import dataclass
from sessionkit.ops.compact.plot import draw, rasterize
from sessionkit.ops.compact.plot.chart import Chart, Mark
from sessionkit.ops.delivery import plan_file, write_file
from sessionkit.ops.readers import common_mode

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.cli.conduct import Manner
    from sessionkit.errors import ExitCode
    from sessionkit.ops.compact import Compacted
    from sessionkit.ops.failed import Failed
    from sessionkit.ops.outputs import Existing

_LONGEST_TITLE = 90


@dataclass(frozen=True, slots=True)
class Sheet:
    """The file that a plot goes to, and what becomes of another one that stands there."""

    path: Path
    existing: Existing


class Plotted(Report["Compacted"]):
    """Hands everything on to a report, and draws the one session."""

    def __init__(self, report: Report[Compacted], how: Manner, sheet: Sheet) -> None:
        self._report = report
        self._verbosity = how.verbosity
        self._sheet = sheet

    def add(self, result: Compacted) -> None:
        """Draw it, and tell of it."""
        write_plot(result, self._sheet, self._verbosity)
        self._report.add(result)

    def fail(self, failed: Failed) -> None:
        """Tell that it failed."""
        self._report.fail(failed)

    def close(self, code: ExitCode) -> None:
        """Sum up."""
        self._report.close(code)


def write_plot(result: Compacted, sheet: Sheet, verbosity: Verbosity) -> None:
    """Draw a session whose messages are listed. Raises RefusedError where another file stands that must not be replaced."""
    target = plan_file(result.source, sheet.path)
    drawing = draw(_chart(result))
    picture = rasterize(drawing) if sheet.path.suffix.lower() == ".png" else drawing.encode()
    written = write_file([picture], target or sheet.path, sheet.existing, common_mode([result.source]))
    if verbosity is not Verbosity.QUIET:
        warn(f"{sheet.path}: {size(written)}", Style.PLAIN)


def _chart(result: Compacted) -> Chart:
    tokens = result.figures.before.tokens
    gate = result.gate
    cut = Mark(result.cut.index, f"cut at {place(result.cut)}") if result.cut else None
    limit = Mark(gate.threshold, f"gate {gate.gate}: {gate.threshold:,} of {gate.window:,} tokens") if gate.threshold else None
    about = f"{aim(result)}: {tokens:,} tokens by the profile {result.profile}, of which {result.figures.gone:,} go"
    return Chart(shorten(printable(str(result.source.path)), _LONGEST_TITLE), about, result.messages, cut, limit)
