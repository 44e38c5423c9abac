"""`sessionkit estimate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from sessionkit.cli import options
from sessionkit.cli.budget import choose_gate, choose_image_tokens, require_window
from sessionkit.cli.choices import among
from sessionkit.cli.declare import Option, Origins
from sessionkit.errors import ExitCode

if TYPE_CHECKING:
    from sessionkit.ops.estimate import Dimensions

EPILOG = """\b
Examples:
  sessionkit estimate a.jsonl
  sessionkit estimate a.jsonl --profile all
  sessionkit estimate a.jsonl --by-dimensions --model claude-opus-5-5
  sessionkit estimate -r sessions --window 200000 --fail-over
  sessionkit estimate -r sessions --json | jq -s 'sort_by(.tokens) | .[-5:]'

\b
Profiles: neutral, pi, my-pi, qwen, codex, claude, gemini, measured; auto is
that of each session's own agent, all shows each of them. The variable
QWEN_IMAGE_TOKEN_ESTIMATE sets the tokens of an image for the profile qwen.
"""


def estimate(  # noqa: PLR0913  an option is a parameter
    origins: Origins,
    *,
    paths: options.Paths = None,
    recursive: options.Recursive = False,
    files_from: options.FilesFrom = None,
    store: options.Store = None,
    session_format: options.Format = None,
    profile: Annotated[str, Option("--profile", metavar="NAME", help="Count as this profile does; see below.")] = "neutral",
    image_tokens: options.ImageTokens = None,
    by_dimensions: Annotated[bool, Option("--by-dimensions", help="Price images by their pixels, as for the session's model.")] = False,
    provider: Annotated[str | None, Option("--provider", metavar="NAME", help="Price images by the pixels, as this provider does.")] = None,
    model: Annotated[str | None, Option("--model", metavar="NAME", help="Price images by the pixels, as for this model.")] = None,
    by: Annotated[
        str | None,
        Option("--by", metavar="WHAT", parser=among("message", "role", "kind"), help="Split the estimate by message, role or kind."),
    ] = None,
    window: options.Window = None,
    watermark: options.Watermark = None,
    gate: options.Gate = "watermark",
    fail_over: Annotated[bool, Option("--fail-over", help="Exit 1 if a session is above the watermark.")] = False,
    jobs: options.Jobs = None,
    dask: options.Dask = None,
    fail_fast: options.FailFast = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> ExitCode:
    """Estimate the tokens of the next request, and its bytes."""
    from sessionkit.cli.conduct import conduct, manner
    from sessionkit.cli.inputs import find
    from sessionkit.cli.reports.estimate import report_for
    from sessionkit.ops.conversations import Selection
    from sessionkit.ops.estimate import By, Options, Over, Plan

    sources = find(paths, files_from, recursive)
    limit = choose_gate(origins, gate, watermark)
    require_window(origins, window)
    chosen = Options(
        profile,
        image_tokens=choose_image_tokens(origins, image_tokens),
        dimensions=_dimensions(by_dimensions, provider, model),
        window=window,
        gate=limit,
        over=Over.FAIL if fail_over else Over.TELL,
        store=store,
        selection=Selection(session_format),
    )
    how = manner(jobs, fail_fast, quiet, verbose).on(dask)
    report = report_for(how, chosen, None if by is None else By(by), as_json)
    return conduct(Plan(tuple(sources), chosen).run, sources, report, how)


def _dimensions(wanted: bool, provider: str | None, model: str | None) -> Dimensions | None:
    from sessionkit.ops.estimate import Dimensions

    return Dimensions(provider, model) if wanted or provider or model else None
