"""`sessionkit verify`."""

from __future__ import annotations

from typing import Annotated

from sessionkit.cli import options
from sessionkit.cli.declare import Option, Origins
from sessionkit.cli.forms import Form, OutputFormat
from sessionkit.errors import ExitCode

EPILOG = """\b
Examples:
  sessionkit verify spilled/a.jsonl
  sessionkit verify -r spilled --fast
  sessionkit verify -r spilled --json | jq 'select(.status == "findings")'
  sessionkit verify -r spilled --output-format sarif > verify.sarif
"""


def verify(  # noqa: PLR0913  an option is a parameter
    origins: Origins,
    *,
    paths: options.Paths = None,
    recursive: options.Recursive = False,
    files_from: options.FilesFrom = None,
    store: options.Store = None,
    fast: Annotated[bool, Option("--fast", help="Trust the hashes: look only at the head of each asset.")] = False,
    decode: options.Decode = False,
    output_format: OutputFormat = Form.TEXT,
    jobs: options.Jobs = None,
    dask: options.Dask = None,
    fail_fast: options.FailFast = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> ExitCode:
    """Check every reference and every asset; exit 1 if one is wrong."""
    from functools import partial

    from sessionkit.cli.conduct import conduct, manner
    from sessionkit.cli.inputs import choose_form, find
    from sessionkit.cli.reports.verify import report_for
    from sessionkit.ops import verify as op

    sources = find(paths, files_from, recursive)
    chosen = op.Options(
        op.Reading.HEADERS if fast else op.Reading.ALL,
        op.Decoding.YES if decode else op.Decoding.NO,
        store,
    )
    how = manner(jobs, fail_fast, quiet, verbose).on(dask)
    report = report_for(how, choose_form(origins, output_format, as_json), chosen.reading)
    return conduct(partial(op.verify, sources, chosen), sources, report, how)
