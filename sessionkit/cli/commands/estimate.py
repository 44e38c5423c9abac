"""`sessionkit estimate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import Context, Option

from sessionkit.cli import options
from sessionkit.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from fractions import Fraction

    from sessionkit.ops.estimate import Dimensions, ImageTokens
    from sessionkit.tokens.gates import Gate

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


def _parse_by(text: str) -> str:
    from sessionkit.ops.estimate import By

    return _require_one_of(list(By), text)


def _parse_gate(text: str) -> str:
    from sessionkit.tokens.gates import GATES

    return _require_one_of([gate.name for gate in GATES], text)


def _require_one_of(names: list[str], text: str) -> str:
    if text not in names:
        raise ValueError(f"{text!r} is not one of {', '.join(names)}")
    return text


def _share(text: str) -> Fraction:
    import re
    from fractions import Fraction

    refusal = ValueError(f"{text!r} is no share of a window, such as 0.8 or 80%")
    number = text.removesuffix("%")
    if not re.fullmatch(r"[0-9]*\.?[0-9]+(?:/0*[1-9][0-9]*)?", number):
        raise refusal
    share = Fraction(number) / (1 if number == text else 100)
    if not 0 < share <= 1:
        raise refusal
    return share


def _parse_share(text: str) -> str:
    _share(text)
    return text


def estimate(  # noqa: PLR0913  an option is a parameter
    context: Context,
    *,
    paths: options.Paths = None,
    recursive: options.Recursive = False,
    files_from: options.FilesFrom = None,
    store: options.Store = None,
    session_format: Annotated[
        str | None, Option("--format", metavar="ID", help="Read them as this format, whatever they look like.")
    ] = None,
    profile: Annotated[str, Option("--profile", metavar="NAME", help="How to count; see below.")] = "neutral",
    image_tokens: Annotated[
        int | None, Option("--image-tokens", metavar="N", min=1, help="Tokens of an image [default: those of the profile].")
    ] = None,
    by_dimensions: Annotated[bool, Option("--by-dimensions", help="Price images by their pixels, for the session's model.")] = False,
    provider: Annotated[str | None, Option("--provider", metavar="NAME", help="The same, for a model of this provider.")] = None,
    model: Annotated[str | None, Option("--model", metavar="NAME", help="The same, for this model.")] = None,
    by: Annotated[str | None, Option("--by", metavar="WHAT", parser=_parse_by, help="Split the estimate by message, role or kind.")] = None,
    window: Annotated[int | None, Option("--window", metavar="N", min=1, help="Tokens that the model takes.")] = None,
    watermark: Annotated[
        str | None, Option("--watermark", metavar="SHARE", parser=_parse_share, help="Share of the window to stay below [default: 0.8].")
    ] = None,
    gate: Annotated[
        str, Option("--gate", metavar="NAME", parser=_parse_gate, help="Or an agent's rule: pi, qwen, codex, claude, gemini.")
    ] = "watermark",
    fail_over: Annotated[bool, Option("--fail-over", help="Exit 1 if a session is above the watermark.")] = False,
    jobs: options.Jobs = None,
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
    limit = _gate(context, gate, watermark)
    _require_window(context, window)
    chosen = Options(
        profile,
        image_tokens=_image_tokens(context, image_tokens),
        dimensions=_dimensions(by_dimensions, provider, model),
        window=window,
        gate=limit,
        over=Over.FAIL if fail_over else Over.TELL,
        store=store,
        selection=Selection(session_format),
    )
    how = manner(jobs, fail_fast, quiet, verbose)
    report = report_for(how, chosen, None if by is None else By(by), as_json)
    return conduct(Plan(tuple(sources), chosen).run, sources, report, how)


def _image_tokens(context: Context, tokens: int | None) -> ImageTokens:
    """Rank the settings: one of a file comes behind qwen-code's variable, all others before it."""
    import os

    from sessionkit.ops.estimate import resolve_image_tokens

    source = context.get_parameter_source("image_tokens")
    if source and source.name == "DEFAULT_MAP":
        return resolve_image_tokens(None, os.environ, tokens)
    return resolve_image_tokens(tokens, os.environ, None)


def _dimensions(wanted: bool, provider: str | None, model: str | None) -> Dimensions | None:
    from sessionkit.ops.estimate import Dimensions

    return Dimensions(provider, model) if wanted or provider or model else None


def _gate(context: Context, name: str, watermark: str | None) -> Gate:
    """Settle --gate and --watermark: the one that was said more explicitly."""
    from sessionkit.cli.inputs import most_explicit
    from sessionkit.tokens.gates import GATES, Watermark

    match most_explicit(context, ["gate", "watermark"] if watermark else ["gate"]):
        case [_, _] if name != Watermark.name:
            raise UsageError(f"--gate {name} and --watermark name two limits", hint="choose one")
        case [*_, "watermark"]:
            return Watermark(_share(watermark or ""))
        case _:
            return next(gate for gate in GATES if gate.name == name)


def _require_window(context: Context, window: int | None) -> None:
    """Refuse a limit that is typed without the window that it is a part of; one of the settings waits for a window."""
    for name in ("gate", "watermark"):
        source = context.get_parameter_source(name)
        if window is None and source and source.name == "COMMANDLINE":
            raise UsageError(f"--{name} needs a window", why="a limit is a part of one", hint="add --window, in tokens, such as 200000")
