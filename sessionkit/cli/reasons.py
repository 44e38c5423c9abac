"""Why sessions of a batch failed: each reason with its place, and what is alike only once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.cli.sizes import count
from sessionkit.cli.voice import Style, Verbosity, warn, warn_of
from sessionkit.errors import StoppedError, UnknownOutcomeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionkit.errors import SessionkitError
    from sessionkit.ops.failed import Failed

_FEW = 3
"""Failures of one cause that are told one by one."""

_FIGURES = r"[0-9a-f]{64}|[0-9][0-9,.]*"

_Cause: TypeAlias = tuple[type, str, str]


def tell_reasons(failures: Sequence[Failed], total: int, verbosity: Verbosity) -> None:
    """Tell the reasons; sessions that were only not begun are counted, and those of which nothing is known told apart."""
    stopped = [failed for failed in failures if isinstance(failed.error, StoppedError)]
    unknown = [failed for failed in failures if isinstance(failed.error, UnknownOutcomeError)]
    told = [failed for failed in failures if not isinstance(failed.error, StoppedError | UnknownOutcomeError)]
    if total > 1 and told:
        warn(f"{len(told):,} of {count(total, 'session')} failed:", Style.ALARM)
    for first, *others in _alike(told):
        if len(others) < _FEW or verbosity is Verbosity.VERBOSE:
            for failed in (first, *others):
                warn_of(failed.error, failed.unnamed)
        else:
            warn_of(first.error, first.unnamed, f"and {len(others):,} more like it: {others[0].name}, {others[1].name}, … (-v tells each)")
    _tell_unknown(unknown, total, verbosity)
    if stopped:
        warn(f"{count(len(stopped), 'session')} not done, {why_left(failed.error for failed in told)}")


def why_left(errors: Iterable[SessionkitError]) -> str:
    """Say why some were not begun, by what became of the others."""
    return "as they would have failed too" if any(error.ends_batch for error in errors) else "because of --fail-fast"


def _tell_unknown(failures: Sequence[Failed], total: int, verbosity: Verbosity) -> None:
    """Say that some sessions may be done or not; they have one reason."""
    if failures:
        warn(f"what became of {len(failures):,} of {count(total, 'session')} is unknown:", Style.ALARM)
        for failed in failures if verbosity is Verbosity.VERBOSE else failures[:1]:
            warn_of(failed.error, failed.name if verbosity is Verbosity.VERBOSE else "")


def _alike(failures: Iterable[Failed]) -> Iterable[list[Failed]]:
    """Gather failures of one cause, in the order of the first of each."""
    causes: dict[_Cause, list[Failed]] = {}
    for failed in failures:
        causes.setdefault(_cause(failed), []).append(failed)
    return causes.values()


def _cause(failed: Failed) -> _Cause:
    """Tell what went wrong, whatever the figures in it."""
    error = failed.error
    return type(error), re.sub(_FIGURES, "#", error.what), re.sub(_FIGURES, "#", error.why)
