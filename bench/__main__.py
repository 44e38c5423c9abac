"""Measure sessionkit against the goals, and print a table."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.goals import GOALS
from bench.measure import measure
from bench.report import Layout, report
from bench.workloads import Data

_DATA = Path("bench", "data")


def main() -> None:
    """Run the chosen goals. The figures never fail; a command that fails ends it."""
    numbers = sorted({row.goal for row in GOALS})
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("goals", nargs="*", type=int, metavar="GOAL", help=f"numbers of goals: {' '.join(map(str, numbers))} (all)")
    parser.add_argument("-n", type=int, default=5, metavar="TURNS", help="runs of each command, of which the median counts (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="once, with a tenth of the data: whether it works, the figures say little")
    parser.add_argument("--markdown", action="store_const", const=Layout.MARKDOWN, default=Layout.TEXT, help="print a Markdown table")
    options = parser.parse_args()
    if unknown := set(options.goals) - set(numbers):
        parser.error(f"no such goal: {' '.join(map(str, sorted(unknown)))}")
    rows = [row for row in GOALS if row.goal in (options.goals or numbers)]
    data = Data(_DATA / "quick", 10) if options.quick else Data(_DATA / "full", 1)
    results = measure(rows, data, 1 if options.quick else options.n)
    print(report([row.judge(results) for row in rows], options.markdown))


main()
