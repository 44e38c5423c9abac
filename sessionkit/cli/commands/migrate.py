"""`sessionkit migrate`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from sessionkit.cli import options
from sessionkit.cli.declare import Option, Origins
from sessionkit.errors import ExitCode

EPILOG = """\b
Examples:
  sessionkit migrate a.jsonl -o spilled/a.jsonl
  sessionkit migrate -r ~/.claude/projects --out spilled
  sessionkit migrate -r sessions --out spilled --dry-run
  sessionkit migrate -r sessions --out spilled --resume spill.journal
  cat a.jsonl | sessionkit migrate - --store images > b.jsonl
"""


class Media(StrEnum):
    """Which media are taken."""

    IMAGES = "images"
    ALL = "all"


def migrate(  # noqa: PLR0913  an option is a parameter
    origins: Origins,
    *,
    paths: options.Paths = None,
    recursive: options.Recursive = False,
    files_from: options.FilesFrom = None,
    out: options.Out = None,
    output: options.Output = None,
    in_place: options.InPlace = False,
    store: options.Store = None,
    media: Annotated[Media, Option("--media", help="Take images only, or documents and unknown payloads too.")] = Media.ALL,
    min_bytes: Annotated[int, Option("--min-bytes", metavar="N", min=0, help="Leave media below N decoded bytes inline.")] = 0,
    normalize: Annotated[bool, Option("--normalize", help="Take odd base64 too; it is restored equal in value, not in bytes.")] = False,
    dry_run: options.DryRun = False,
    live: options.Live = False,
    force: options.Force = False,
    no_fsync: options.NoFsync = False,
    lock_timeout: options.LockTimeout = options.LOCK_TIMEOUT,
    resume: options.Resume = None,
    jobs: options.Jobs = None,
    dask: options.Dask = None,
    fail_fast: options.FailFast = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> ExitCode:
    """Move images out of sessions into files, and leave references."""
    from sessionkit.cli.conduct import conduct, manner
    from sessionkit.cli.inputs import find
    from sessionkit.cli.outputs import force_of, plan_targets, resumed, writing
    from sessionkit.cli.reports.migrate import report_for
    from sessionkit.core.media.policy import Choice, Policy, Spelling
    from sessionkit.dataclass import replace
    from sessionkit.ops.migrate import Options, Plan

    sources = find(paths, files_from, recursive)
    transfers = plan_targets(origins, sources, (out, output, in_place), quiet)
    policy = Policy(
        Choice.IMAGES if media is Media.IMAGES else Choice.ALL,
        min_bytes,
        Spelling.ANY if normalize else Spelling.EXACT,
    )
    how_to_write = replace(writing(dry_run, force, live, no_fsync), lock_timeout=lock_timeout)
    plan = Plan(transfers, Options(policy, store, how_to_write, force_of(force)))
    how = manner(jobs, fail_fast, quiet, verbose).on(dask).beside(transfers)
    return conduct(resumed(plan, resume), sources, report_for(how, plan.options.writing.effect, as_json), how)
