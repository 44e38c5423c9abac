"""Why sessions of a batch failed: each reason with its place, and what is alike only once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.cli.sizes import count
from sessionkit.cli.voice import Style, Verbosity, warn, warn_of
from sessionkit.errors import StoppedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionkit.ops.failed import Failed

_FEW = 3
"""Failures of one cause that are told one by one."""

_FIGURES = re.compile(r"[0-9a-f]{64}|[0-9][0-9,.]*")

_Cause: TypeAlias = tuple[type, str, str]


def tell_reasons(failures: Sequence[Failed], total: int, verbosity: Verbosity) -> None:
    """Tell the reasons; sessions that were only not begun are counted."""
    told = [failed for failed in failures if not isinstance(failed.error, StoppedError)]
    if total > 1 and failures:
        warn(f"{len(told):,} of {count(total, 'session')} failed:", Style.ALARM)
    for first, *others in _alike(told):
        if len(others) < _FEW or verbosity is Verbosity.VERBOSE:
            for failed in (first, *others):
                warn_of(failed.error, failed.unnamed)
        else:
            warn_of(first.error, first.unnamed, f"and {len(others):,} more like it: {others[0].name}, {others[1].name}, … (-v tells each)")
    if len(told) < len(failures):
        warn(f"{count(len(failures) - len(told), 'session')} not done, because of --fail-fast")


def _alike(failures: Iterable[Failed]) -> Iterable[list[Failed]]:
    """Gather failures of one cause, in the order of the first of each."""
    causes: dict[_Cause, list[Failed]] = {}
    for failed in failures:
        causes.setdefault(_cause(failed), []).append(failed)
    return causes.values()


def _cause(failed: Failed) -> _Cause:
    """Tell what went wrong, whatever the figures in it."""
    error = failed.error
    return type(error), _FIGURES.sub("#", error.what), _FIGURES.sub("#", error.why)
