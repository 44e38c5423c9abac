"""Run the plan of a command, report each session as it is done, and sum up."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from sessionkit.cli.progress import progress
from sessionkit.cli.sizes import count
from sessionkit.cli.voice import Verbosity, Voice, warn
from sessionkit.dataclass import dataclass, replace
from sessionkit.errors import ExitCode, LeftBehindError, UsageError
from sessionkit.ops.batch import Batch, OnFailure, cores
from sessionkit.ops.failed import Failed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from sessionkit.ops.sources import Source
    from sessionkit.ops.targets import Transfer

Result = TypeVar("Result")

_MOST_TOLD = 10
"""Archives that are named one by one."""


class Report(ABC, Generic[Result]):
    """Tells what a command did, session by session, and in sum."""

    is_for_programs: ClassVar[bool] = False

    @abstractmethod
    def add(self, result: Result) -> None:
        """Tell of a session that is done."""

    def fail(self, failed: Failed) -> None:
        """Tell of a session that could not be done; people read of it on standard error, at the end."""

    @abstractmethod
    def close(self, code: ExitCode) -> None:
        """Sum up, given how the command will exit."""

    def verdict(self) -> ExitCode:
        """Exit code of a run in which nothing failed."""
        return ExitCode.OK


class Silence(Report[Result]):
    """Says nothing."""

    def add(self, result: Result) -> None:
        """Say nothing of a session."""

    def close(self, code: ExitCode) -> None:
        """Say nothing in sum."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How to run and how much to say."""

    jobs: int
    on_failure: OnFailure
    verbosity: Verbosity
    voice: Voice
    cluster: str = ""

    def on(self, cluster: str | None) -> Manner:
        """Let the workers of a scheduler do it, if an address is named."""
        return replace(self, cluster=cluster or "")

    def beside(self, transfers: Sequence[Transfer]) -> Manner:
        """Talk on standard error if standard output takes a session."""
        takes_session = any(transfer.target is None for transfer in transfers)
        if takes_session and self.cluster:
            raise UsageError("a worker elsewhere cannot write to standard output", hint="write to a file, or leave out --dask")
        return replace(self, voice=Voice(sys.stderr)) if takes_session else self


def manner(jobs: int | None, fail_fast: bool, quiet: bool, verbose: bool) -> Manner:
    """Choices that all commands have."""
    loudness = Verbosity.VERBOSE if verbose else Verbosity.NORMAL
    on_failure = OnFailure.FAIL_FAST if fail_fast else OnFailure.KEEP_GOING
    return Manner(jobs or cores(), on_failure, Verbosity.QUIET if quiet else loudness, Voice(sys.stdout))


def conduct(work: Callable[[Batch], Iterator[Result | Failed]], sources: Sequence[Source], report: Report[Result], how: Manner) -> ExitCode:
    """Run to the end, and return how to exit."""
    is_quiet = how.verbosity is Verbosity.QUIET or (report.is_for_programs and not sys.stdout.isatty())
    if how.cluster and any(source.is_stdin for source in sources):
        raise UsageError("a worker elsewhere cannot read standard input", hint="save it to a file, or leave out --dask")
    total = 0 if is_quiet or not sys.stderr.isatty() else sum(source.size() for source in sources)
    failures: list[Failed] = []
    done = 0
    afterwards: list[LeftBehindError] = []
    with progress(total, how.voice) as tick, _keeping(afterwards):
        for result in work(Batch(how.jobs, on_failure=how.on_failure, progress=tick, cluster=how.cluster)):
            if isinstance(result, Failed):
                _require_reader(result)
                failures.append(result)
                report.fail(result)
            else:
                done += 1
                report.add(result)
    code = _code(done, failures, report)
    report.close(code)
    if how.verbosity is not Verbosity.QUIET:
        _tell_left_out([path for source in sources for path in source.shadowed])
    if failures:
        from sessionkit.cli.reasons import tell_reasons

        tell_reasons(failures, done + len(failures), how.verbosity)
    for error in afterwards:
        for line in str(error).splitlines():
            warn(line)
    return code


@contextmanager
def _keeping(errors: list[LeftBehindError]) -> Iterator[None]:
    """Keep what went wrong when all was done, to be told after the sum: it changes nothing in what was done."""
    try:
        yield
    except LeftBehindError as error:
        errors.append(error)


def _require_reader(failed: Failed) -> None:
    """Pass on that nobody reads our output any more: it is no failure of the session."""
    if isinstance(failed.error.__cause__, BrokenPipeError):
        raise failed.error.__cause__


def _code(done: int, failures: Sequence[Failed], report: Report[Result]) -> ExitCode:
    if not failures:
        return report.verdict()
    if done and not any(failed.error.ends_batch for failed in failures):
        return ExitCode.PARTIAL
    return ExitCode.USAGE if all(isinstance(failed.error, UsageError) for failed in failures) else ExitCode.FAILED


def _tell_left_out(archives: Sequence[Path]) -> None:
    for path in archives[:_MOST_TOLD]:
        warn(f"left out: {path}: its session stands beside it unpacked")
    if len(archives) > _MOST_TOLD:
        warn(f"left out: {count(len(archives) - _MOST_TOLD, 'more archive')} (--json names all)")
