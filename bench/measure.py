"""Measure what the rows of the table need, one workload after the other."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bench.rows import Ratio, Results, Row
from bench.timing import Usage, run, time_in_turn
from bench.workloads import Case, Data, Workload

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


def measure(rows: Sequence[Row], data: Data, turns: int) -> Results:
    """Run the cases of ratios in turn, and those that only a peak needs once."""
    usages: dict[Case, Usage] = {}
    for workload in Workload:
        if cases := _cases(rows, workload):
            timed = _cases((row for row in rows if isinstance(row, Ratio)), workload)
            with _prepared(cases, data):
                usages.update(zip(timed, time_in_turn([data.command(case) for case in timed], turns), strict=True))
                usages.update({case: run(data.command(case)) for case in cases if case not in usages})
            _tell(cases, usages)
    return Results(usages, data.longest_line, data.size)


def _cases(rows: Iterable[Row], workload: Workload) -> list[Case]:
    """Cases of one workload, each once."""
    return list(dict.fromkeys(case for row in rows for case in row.cases if case.workload is workload))


@contextmanager
def _prepared(cases: Sequence[Case], data: Data) -> Iterator[None]:
    workload = cases[0].workload
    try:
        data.enter(workload)
        if any("SPILLED" in case.command or "IMAGES" in case.command for case in cases):
            data.spill(workload)
        yield
    finally:
        data.leave(workload)


def _tell(cases: Sequence[Case], usages: dict[Case, Usage]) -> None:
    for case in cases:
        usage = usages[case]
        figures = f"cpu {usage.cpu:7.3f} s  wall {usage.wall:7.3f} s  peak {usage.peak / 1e6:4.0f} MB"
        print(f"{case.workload.value:18} {figures}  {case.command}", file=sys.stderr)
