"""`sessionkit gallery`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sessionkit.cli import options
from sessionkit.cli.budget import choose_gate, require_window
from sessionkit.cli.declare import Option, Origins
from sessionkit.cli.voice import Voice
from sessionkit.dataclass import replace
from sessionkit.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.cli.pages import Choices, Drawn
    from sessionkit.cli.pages.sheet import Sheet
    from sessionkit.ops.batch import Batch
    from sessionkit.ops.failed import Failed
    from sessionkit.ops.sources import Source

EPILOG = """\b
Examples:
  sessionkit gallery a.jsonl -o page.html
  sessionkit gallery ~/.claude/projects -o page.html --thumbnails-only
  sessionkit gallery a.jsonl -o page.html --window 200000
  sessionkit gallery a.jsonl -o page.html --json | jq -s '.[0].findings'
  sessionkit scan -r sessions                   what fills them, in numbers

\b
The page is one file, needs no network, and shows every image in its place,
with the text around it, what `check` finds, and how the context grows.
Strategies: auto (the default: that of each session's agent), pi, my-pi,
qwen-split, microcompact, ink.
"""


def gallery(  # noqa: PLR0913  an option is a parameter
    origins: Origins,
    *,
    paths: options.Paths = None,
    recursive: Annotated[bool, Option("-r", "--recursive", help="Search folders for sessions; --no-recursive refuses folders.")] = True,
    files_from: options.FilesFrom = None,
    output: Annotated[Path | None, Option("-o", "--output", metavar="FILE", help="Write the page to FILE; - is standard output.")] = None,
    force: Annotated[bool, Option("--force", help="Replace another file by the page.")] = False,
    store: options.Store = None,
    thumbnails_only: Annotated[bool, Option("--thumbnails-only", help="Leave the whole pictures out: a far smaller page.")] = False,
    window: options.Window = None,
    watermark: options.Watermark = None,
    gate: options.Gate = "watermark",
    strategy: Annotated[str, Option("--strategy", metavar="NAME", help="Preview a compaction of this strategy; see below.")] = "auto",
    fail_fast: options.FailFast = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> ExitCode:
    """Show the images of sessions as one page to look at."""
    from functools import partial

    from sessionkit.cli.conduct import conduct, manner
    from sessionkit.cli.inputs import find
    from sessionkit.cli.pages import Choices, Content
    from sessionkit.cli.pages.sheet import plan_sheet
    from sessionkit.cli.reports.gallery import report_for
    from sessionkit.ops.gallery import Options
    from sessionkit.ops.outputs import Existing

    sources = find(paths, files_from, recursive)
    sheet = plan_sheet(output, sources, Existing.REPLACE if force else Existing.KEEP)
    if as_json and sheet.file is None:
        raise UsageError("--json and -o - both write to standard output", hint="choose one of the two, or name a file with -o")
    require_window(origins, window)
    chosen = Options(store, strategy, choose_gate(origins, gate, watermark), window)
    how = manner(None, fail_fast, quiet, verbose)
    if sheet.file is None:
        how = replace(how, voice=Voice(sys.stderr))
    choices = Choices(chosen, Content.THUMBNAILS if thumbnails_only else Content.FULL)
    return conduct(partial(_write, sources, choices, sheet), sources, report_for(how, sheet, as_json), how)


def _write(sources: Sequence[Source], choices: Choices, sheet: Sheet, batch: Batch) -> Iterator[Drawn | Failed]:
    from sessionkit.cli.pages import write_gallery

    yield from write_gallery(sources, choices, batch, sheet.deliver)
