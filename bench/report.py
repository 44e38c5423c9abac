"""The report: one table, for a terminal or for a page."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.rows import Verdict

_HEAD = ("goal", "work", "measured", "bound", "met")


class Layout(StrEnum):
    """What stands before, between and after the cells of a line."""

    TEXT = "  "
    MARKDOWN = " | "


def report(verdicts: Sequence[Verdict], layout: Layout) -> str:
    """Lay the verdicts out, a line each."""
    cells = [_HEAD, *((str(verdict.goal), verdict.what, verdict.measured, verdict.bound, verdict.met) for verdict in verdicts)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    head, *body = (_line([cell.ljust(width) for cell, width in zip(row, widths, strict=True)], layout) for row in cells)
    rule = _line(["-" * width for width in widths], layout)
    return "\n".join((head, rule, *body))


def _line(cells: Sequence[str], layout: Layout) -> str:
    line = layout.join(cells)
    return f"| {line} |" if layout is Layout.MARKDOWN else line.rstrip()
