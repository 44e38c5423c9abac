"""`sessionkit scan`."""

from __future__ import annotations

from typing import Annotated

from sessionkit.cli import options
from sessionkit.cli.declare import Option
from sessionkit.errors import ExitCode

EPILOG = """\b
Examples:
  sessionkit scan ~/.claude/projects -r
  sessionkit scan a.jsonl -v
  sessionkit scan -r sessions --json | jq -s 'sort_by(.bytes) | .[-5:]'
  sessionkit scan -r sessions --fail-on bad-lines --fail-on inline

\b
Kinds for --fail-on: inline, duplicates, non-canonical, text-base64,
bad-lines, glued-lines, references, odd-references, foreign, unknown-format.
"""


def _parse_kind(text: str) -> str:
    from sessionkit.ops.scan import ScanKind  # the help can do without it, and is faster

    if text not in list(ScanKind):
        raise ValueError(f"{text!r} is not one of {', '.join(ScanKind)}")
    return text


def scan(  # noqa: PLR0913  an option is a parameter
    *,
    paths: options.Paths = None,
    recursive: options.Recursive = False,
    files_from: options.FilesFrom = None,
    fail_on: Annotated[
        list[str] | None,
        Option("--fail-on", metavar="KIND", parser=_parse_kind, help="Exit 1 if a session has this; may be repeated; see below."),
    ] = None,
    top: Annotated[int, Option("--top", metavar="N", min=0, help="Show the N biggest lines.")] = 5,
    jobs: options.Jobs = None,
    dask: options.Dask = None,
    fail_fast: options.FailFast = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> ExitCode:
    """Show what fills sessions: bytes by kind, images, repetition."""
    from functools import partial

    from sessionkit.cli.conduct import conduct, manner
    from sessionkit.cli.inputs import find
    from sessionkit.cli.reports.scan import Choices, report_for
    from sessionkit.ops import scan as op

    sources = find(paths, files_from, recursive)
    how = manner(jobs, fail_fast, quiet, verbose).on(dask)
    choices = Choices(frozenset(op.ScanKind(kind) for kind in fail_on or ()), top)
    return conduct(partial(op.scan, sources), sources, report_for(how, choices, as_json), how)
