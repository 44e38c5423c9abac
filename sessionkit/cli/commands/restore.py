"""`sessionkit restore`."""

from __future__ import annotations

from typing import Annotated

from sessionkit.cli import options
from sessionkit.cli.declare import Option, Origins
from sessionkit.cli.sizes import parse_size
from sessionkit.errors import ExitCode

EPILOG = """\b
Examples:
  sessionkit restore spilled/a.jsonl -o a.jsonl
  sessionkit restore -r spilled --out sessions
  sessionkit restore spilled/a.jsonl -o - | head -3
  sessionkit restore -r spilled --out sessions --leave-missing
"""


def restore(  # noqa: PLR0913  an option is a parameter
    origins: Origins,
    *,
    paths: options.Paths = None,
    recursive: options.Recursive = False,
    files_from: options.FilesFrom = None,
    out: options.Out = None,
    output: options.Output = None,
    in_place: options.InPlace = False,
    store: options.Store = None,
    native: Annotated[bool, Option("--native", help="Put in also what the agent itself keeps in files.")] = False,
    leave_missing: Annotated[bool, Option("--leave-missing", help="Restore the rest where an asset is missing or corrupt.")] = False,
    max_output: Annotated[
        int | None, Option("--max-output", metavar="SIZE", parser=parse_size, help="Refuse larger sessions [default: 16GiB].")
    ] = None,
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
    """Put the images back into spilled sessions, byte for byte."""
    from sessionkit.cli.conduct import conduct, manner
    from sessionkit.cli.inputs import find
    from sessionkit.cli.outputs import force_of, plan_targets, resumed, writing
    from sessionkit.cli.reports.restore import report_for
    from sessionkit.dataclass import replace
    from sessionkit.ops.restore import Missing, Native, Options, Plan
    from sessionkit.ops.restore.options import MOST

    sources = find(paths, files_from, recursive)
    transfers = plan_targets(origins, sources, (out, output, in_place), quiet)
    how_to_write = replace(writing(dry_run, force, live, no_fsync), lock_timeout=lock_timeout)
    chosen = Options(
        Native.INLINE if native else Native.KEEP,
        Missing.LEAVE if leave_missing else Missing.STOP,
        MOST if max_output is None else max_output,
        store,
        how_to_write,
        force_of(force),
    )
    how = manner(jobs, fail_fast, quiet, verbose).on(dask).beside(transfers)
    return conduct(resumed(Plan(transfers, chosen), resume), sources, report_for(how, chosen, as_json), how)
