"""`sessionkit gc`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sessionkit.cli import options
from sessionkit.cli.ages import parse_age
from sessionkit.cli.declare import Argument, Option, Origin, Origins
from sessionkit.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.cli.conduct import Manner
    from sessionkit.cli.reports.gc.base import GcReport, Result
    from sessionkit.ops.gc import Options

EPILOG = """\b
Examples:
  sessionkit gc spilled                          what would be moved
  sessionkit gc spilled --apply                  into images/.trash
  sessionkit gc spilled --undo                   and back
  sessionkit gc spilled --purge-trash --apply    gone for good, after 30 days
  sessionkit gc spilled --root ~/backup --root notes.md
  sessionkit gc sessions --store /srv/images
  sessionkit gc sessions --store s3://team/assets

\b
An asset stays if its SHA-256 stands anywhere in a root: in a session of any
format, a broken line, an archive (.gz, .zst), a backup (.bak), a journal
(.json), or what --root names. Nobody knows of roots elsewhere, so name them
all. If one cannot be read, or there is none, nothing is moved (exit code 3).

\b
AGE is 14d, 12h, 30m or 0. An asset that was stored, or used again, later
than that stays.
"""

_GRACE = 14 * 86_400
_OLD = 30 * 86_400


def gc(  # noqa: PLR0913  an option is a parameter
    origins: Origins,
    *,
    folders: Annotated[list[str], Argument(metavar="DIR", help="Folders of sessions, with all below.")],
    root: Annotated[list[Path] | None, Option("--root", metavar="PATH", help="Read this file or folder too: what it names stays.")] = None,
    store: options.OneStore = None,
    grace: Annotated[int | None, Option("--grace", metavar="AGE", parser=parse_age, help="Keep what is younger [default: 14d].")] = None,
    apply: Annotated[bool, Option("--apply", help="Do it; without it nothing is written.")] = False,
    undo: Annotated[bool, Option("--undo", help="Put back what was moved to the trash last.")] = False,
    trash: Annotated[
        str | None, Option("--trash", metavar="TIME", help="Put back the trash of this time, with --undo [default: the newest].")
    ] = None,
    purge_trash: Annotated[bool, Option("--purge-trash", help="Delete what is in the trash for good, with --apply.")] = False,
    older_than: Annotated[
        int | None,
        Option(
            "--older-than", metavar="AGE", parser=parse_age, help="Delete only what was there so long, with --purge-trash [default: 30d]."
        ),
    ] = None,
    dry_run: options.DryRun = False,
    no_fsync: options.NoFsync = False,
    lock_timeout: options.LockTimeout = options.LOCK_TIMEOUT,
    as_json: Annotated[bool, Option("--json", help="Print JSON Lines: an object for each store, then a summary.")] = False,
    quiet: options.Quiet = False,
    verbose: Annotated[bool, Option("-v", "--verbose", help="Print every asset that nothing names.")] = False,
) -> ExitCode:
    """Move the assets that nothing names any more to a trash."""
    from datetime import timedelta

    from sessionkit.cli.conduct import manner
    from sessionkit.cli.outputs import writing
    from sessionkit.cli.reports.gc import report_of_purge, report_of_undo
    from sessionkit.dataclass import replace
    from sessionkit.ops import gc as op

    _refuse_nonsense(origins, undo, purge_trash)
    places = _places(folders)
    is_dry = dry_run or not (apply or undo)
    chosen = op.Options(
        tuple(root or ()),
        store,
        timedelta(seconds=_GRACE if grace is None else grace),
        replace(writing(is_dry, force=False, live=False, no_fsync=no_fsync), lock_timeout=lock_timeout),
    )
    how = manner(None, fail_fast=False, quiet=quiet, verbose=verbose)
    if undo:
        return _tell(op.put_back(places, trash, chosen), report_of_undo(how, chosen, as_json))
    if purge_trash:
        age = timedelta(seconds=_OLD if older_than is None else older_than)
        return _tell(op.purge_trash(places, age, chosen), report_of_purge(how, chosen, as_json))
    return _collect(places, chosen, how, as_json)


def _refuse_nonsense(origins: Origins, undo: bool, purge_trash: bool) -> None:
    if undo and purge_trash:
        raise UsageError("--undo and --purge-trash are two ways to empty the trash", hint="choose one")
    for name, is_used, owner in (("trash", undo, "--undo"), ("older_than", purge_trash, "--purge-trash")):
        if not is_used and origins[name] is Origin.TYPED:
            raise UsageError(f"--{name.replace('_', '-')} goes with {owner}", hint=f"add {owner}, or leave it away")
    for name in ("root", "grace"):
        if (undo or purge_trash) and origins[name] is Origin.TYPED:
            raise UsageError(f"--{name} says what is moved to the trash", hint="leave it away with --undo and --purge-trash")


def _places(folders: list[str]) -> list[Path]:
    if "" in folders:
        raise UsageError("a folder is empty", hint="`.` is the working folder, with all below")
    return [Path(folder) for folder in folders]


def _collect(folders: list[Path], chosen: Options, how: Manner, as_json: bool) -> ExitCode:
    import sys

    from sessionkit.cli.progress import progress
    from sessionkit.cli.reports.gc import report_for
    from sessionkit.cli.voice import Verbosity
    from sessionkit.ops import gc as op

    survey = op.survey(folders, chosen)
    total = survey.size() if sys.stderr.isatty() and how.verbosity is not Verbosity.QUIET else 0
    with progress(total, how.voice) as tick:
        plan = survey.plan(tick)
    return _tell(plan.run(), report_for(how, plan, as_json))


def _tell(results: Iterator[Result], report: GcReport) -> ExitCode:
    """Tell of each store, and return how to exit."""
    from sessionkit.cli.voice import warn_of
    from sessionkit.ops.gc import StoreFailed

    failures, done = [], 0
    for result in results:
        report.add(result)
        if isinstance(result, StoreFailed):
            failures.append(result)
        else:
            done += 1
    code = ExitCode.OK if not failures else ExitCode.PARTIAL if done else ExitCode.FAILED
    report.close(code)
    for failed in failures:
        warn_of(failed.error)
    return code
