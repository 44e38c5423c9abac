"""`sessionkit check`."""

from __future__ import annotations

from typing import Annotated

from sessionkit.cli import options
from sessionkit.cli.declare import Option, Origins
from sessionkit.cli.forms import Form, OutputFormat
from sessionkit.errors import ExitCode

EPILOG = """\b
Examples:
  sessionkit check a.jsonl
  sessionkit check -r ~/.claude/projects
  sessionkit check a.jsonl -v --profile bedrock
  sessionkit check -r sessions --fail-on bricks --ignore lost-parent
  sessionkit check -r sessions --json | jq 'select(.worst == "bricks")'
  sessionkit explain                            all faults
  sessionkit explain image-too-large            what a fault is, and its cure

\b
A finding works against the next turn: it bricks the session (no turn works)
or degrades it (context, images or money are lost). Notes are the others: what
only bloats the file, what is harmless, and what is asleep, which is on no
branch that will be sent. WORD is a severity, which stands for itself and
worse ones: bricks, degrades (the default), bloats, harmless; note, for all
of them; or a fault, wherever it stands.

\b
Profiles: claude-code, anthropic, bedrock, vertex, openai, codex, qwen-code,
gemini; portable is what every vendor takes.
"""


def check(  # noqa: PLR0913  an option is a parameter
    origins: Origins,
    *,
    paths: options.Paths = None,
    recursive: options.Recursive = False,
    files_from: options.FilesFrom = None,
    store: options.Store = None,
    profile: options.Rules = None,
    direct: options.Direct = False,
    max_images: options.MaxImages = None,
    select: Annotated[
        list[str] | None, Option("--select", metavar="FAULT", help="Look for this fault alone; repeated, or with commas.")
    ] = None,
    ignore: Annotated[list[str] | None, Option("--ignore", metavar="FAULT", help="Leave this fault out; repeated, or with commas.")] = None,
    decode: options.Decode = False,
    fail_on: Annotated[list[str] | None, Option("--fail-on", metavar="WORD", help="Exit 1 for these words alone; see below.")] = None,
    output_format: OutputFormat = Form.TEXT,
    jobs: options.Jobs = None,
    dask: options.Dask = None,
    fail_fast: options.FailFast = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> ExitCode:
    """Find what breaks sessions; exit 1 if something does."""
    from functools import partial

    from sessionkit.cli.conduct import conduct, manner
    from sessionkit.cli.inputs import choose_form, find, split_commas
    from sessionkit.cli.reports.check import report_for
    from sessionkit.cli.reports.check.base import read_bar
    from sessionkit.core.pictures import Depth
    from sessionkit.faults.profiles import Hosts, Wish
    from sessionkit.ops import check as op

    sources = find(paths, files_from, recursive)
    chosen = op.Options(
        frozenset(split_commas(select)),
        frozenset(split_commas(ignore)),
        Wish(profile, Hosts.OWN if direct else Hosts.ANY, max_images),
        Depth.PIXELS if decode else Depth.HEADERS,
        store,
    )
    how = manner(jobs, fail_fast, quiet, verbose).on(dask)
    report = report_for(how, choose_form(origins, output_format, as_json), read_bar(split_commas(fail_on)))
    return conduct(partial(op.check, sources, chosen), sources, report, how)
