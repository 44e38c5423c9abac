"""`sessionkit rehydrate`."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sessionkit.cli import options
from sessionkit.cli.catalog import catalog_of
from sessionkit.cli.choices import among
from sessionkit.cli.declare import Argument, Option, Origin, Origins
from sessionkit.dataclass import dataclass
from sessionkit.errors import ExitCode, SessionkitError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.cli.delivery import Form
    from sessionkit.cli.reports.rehydrate import RehydrateReport
    from sessionkit.cli.voice import Verbosity
    from sessionkit.core.model import Json
    from sessionkit.ops.rehydrate import Options
    from sessionkit.providers.base import Style, Tool
    from sessionkit.providers.layouts import Layout
    from sessionkit.providers.replay import Choices

EPILOG = """\b
Examples:
  sessionkit rehydrate a.jsonl --provider anthropic -o body.json
  sessionkit rehydrate a.jsonl --provider openai-chat --model gpt-5.5 --pretty
  sessionkit rehydrate a.jsonl --provider anthropic --fit --curl | sh
  sessionkit rehydrate --diff a.jsonl b.jsonl --provider gemini
  sessionkit rehydrate --diff sent.json a.jsonl --provider anthropic

\b
Providers: anthropic, openai-chat, openai-responses, gemini.
Without --model, the session's own model of that interface is taken, and its
reasoning is sent back to it.

\b
Tools can have the form of any provider, one or a list. A catalogue of models
is {"providers": {NAME: {"models": [{"id": …, "input": ["text", "image"]}]}}},
as Pi keeps it, or a list of {"provider", "id", "input"}. Fields of a request
are an object, whose members replace those of the body as a whole.

\b
Exit codes: 1 a limit is exceeded, and nothing is written without --force;
3 a picture is missing or broken, or something else went wrong.
"""


_ONLY = {
    "cache": ("anthropic",),
    "detail": ("openai-chat", "openai-responses"),
    "gemini_signatures": ("gemini",),
}
"""Options that only some providers know."""


def rehydrate(  # noqa: PLR0913  an option is a parameter
    origins: Origins,
    *,
    sessions: Annotated[list[str], Argument(metavar="SESSION", help="One session, or - for standard input; two with --diff.")],
    provider: Annotated[str | None, Option("--provider", metavar="NAME", help="Make the request of this provider; see below.")] = None,
    api: Annotated[str | None, Option("--api", metavar="NAME", help="Make a variant of it: codex-responses, of openai-responses.")] = None,
    model: Annotated[str | None, Option("--model", metavar="NAME", help="Make it for this model [default: the session's own].")] = None,
    vision: options.Vision = "auto",
    catalog: options.Catalog = None,
    leaf: options.Leaf = None,
    session_format: options.Format = None,
    store: options.Store = None,
    system_file: Annotated[
        Path | None, Option("--system-file", metavar="FILE", help="Read a system prompt from FILE, if the session has none.")
    ] = None,
    tools_file: Annotated[
        Path | None, Option("--tools-file", metavar="FILE", help="Read tools from FILE (JSON), if the session has none.")
    ] = None,
    request_fields: Annotated[
        Path | None,
        Option("--request-fields", metavar="FILE", help="Read fields of the request from FILE, a JSON object, and put them in last."),
    ] = None,
    cache: Annotated[bool, Option("--cache", help="Mark for Anthropic what can be cached.")] = False,
    detail: Annotated[
        str | None,
        Option(
            "--detail",
            metavar="LEVEL",
            parser=among("auto", "low", "high", "original"),
            help="Ask OpenAI for this detail of images: auto, low, high, original.",
        ),
    ] = None,
    label_images: Annotated[bool, Option("--label-images", help="Say of images which tool's they are, where that gets lost.")] = False,
    gemini_signatures: Annotated[
        str,
        Option(
            "--gemini-signatures",
            metavar="WHEN",
            parser=among("auto", "never", "always"),
            help="Write stand-ins for Gemini's signatures: auto, never, always.",
        ),
    ] = "auto",
    orphans: Annotated[
        str, Option("--orphans", metavar="WHAT", parser=among("drop", "keep"), help="Do this with results without a call: drop, keep.")
    ] = "drop",
    missing: Annotated[
        str,
        Option(
            "--missing",
            metavar="WHAT",
            parser=among("refuse", "placeholder"),
            help="Do this with media that cannot be read: refuse, placeholder.",
        ),
    ] = "refuse",
    bad_image: Annotated[
        str,
        Option(
            "--bad-image",
            metavar="WHAT",
            parser=among("refuse", "placeholder"),
            help="Do this with images that the provider refuses: refuse, placeholder.",
        ),
    ] = "refuse",
    decode: options.Decode = False,
    fit: Annotated[bool, Option("--fit", help="Make what exceeds a limit smaller, in the body alone.")] = False,
    force: Annotated[bool, Option("--force", help="Write though a limit is exceeded, and over another file.")] = False,
    client: Annotated[str | None, Option("--client", metavar="NAME", help="Number messages as claude-code, codex or pi does.")] = None,
    output: Annotated[Path | None, Option("-o", "--output", metavar="FILE", help="Write the body to FILE.")] = None,
    pretty: Annotated[bool, Option("--pretty", help="Write the body in indented lines, for people to read.")] = False,
    messages_only: Annotated[bool, Option("--messages-only", help="Write nothing but the list of messages.")] = False,
    curl: Annotated[bool, Option("--curl", help="Print a command that sends it; the key is in the environment.")] = False,
    diff: Annotated[bool, Option("--diff", help="Show where two bodies part, and what that costs; of sessions, or recorded ones.")] = False,
    as_json: Annotated[bool, Option("--json", help="Report as JSON Lines; the body only goes to -o FILE.")] = False,
    quiet: options.Quiet = False,
    verbose: Annotated[bool, Option("-v", "--verbose", help="Print the places of all notes, and all that was passed over.")] = False,
) -> ExitCode:
    """Make a stored session the body of a request to a provider."""
    from sessionkit.cli.delivery import Form
    from sessionkit.cli.reports.rehydrate import report_for
    from sessionkit.cli.voice import Verbosity
    from sessionkit.core.pictures import Depth
    from sessionkit.ops.conversations import Selection
    from sessionkit.ops.rehydrate import Fitting, Options
    from sessionkit.providers import provider_of
    from sessionkit.providers.vision import Vision

    loudness = Verbosity.QUIET if quiet else Verbosity.VERBOSE if verbose else Verbosity.NORMAL
    with _telling(report_for(sessions[0], loudness, as_json), api or provider):
        how = _How(Form(output, force, pretty, messages_only, curl), as_json, loudness)
        if model is not None and not model.strip():
            raise UsageError("--model names no model", hint="leave it away for the session's own, or name one")
        _require_effect(origins, provider)
        if provider is None and not diff:
            raise UsageError("no provider is named", hint="say --provider anthropic, openai-chat, openai-responses or gemini")
        chosen = None
        if provider is not None:
            chosen = Options(
                provider_of(provider, api),
                model=model,
                vision=Vision(vision),
                catalog=catalog_of(catalog),
                selection=Selection(session_format, leaf),
                store=store,
                choices=_choices((orphans, missing, bad_image), system_file, _tools(tools_file, quiet)),
                style=_style(cache, detail, label_images, gemini_signatures),
                fields=_fields(request_fields),
                fitting=Fitting.SHRINK if fit else Fitting.NONE,
                depth=Depth.PIXELS if decode else Depth.HEADERS,
                client=_layout(client),
            )
        if diff or chosen is None:
            return _compare(sessions, chosen, how)
        return _rehydrate(sessions, chosen, how)


def _require_effect(origins: Origins, provider: str | None) -> None:
    """Refuse an option that was typed, and that the provider does not know; UsageError."""
    for name, knowing in _ONLY.items():
        if provider is not None and provider not in knowing and origins[name] is Origin.TYPED:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"{option} does nothing for {provider}", hint=f"it is for {' and '.join(knowing)}: leave it out")


@dataclass(frozen=True, slots=True)
class _How:
    """How it is written and told."""

    form: Form
    as_json: bool
    verbosity: Verbosity


def _fields(path: Path | None) -> dict[str, Json]:
    from sessionkit.ops.rehydrate.files import read_fields, read_json

    return read_json(path, read_fields) if path else {}


def _layout(client: str | None) -> Layout | None:
    if client is None:
        return None
    from sessionkit.providers.layouts import layout_of

    return layout_of(client)


def _tools(path: Path | None, quiet: bool) -> tuple[Tool, ...] | None:
    if path is None:
        return None
    from sessionkit.cli.voice import warn
    from sessionkit.ops.rehydrate.files import read_json
    from sessionkit.providers.tools import read_tools, vendor_tools

    tools, passed_over = read_json(path, lambda value: (read_tools(value), vendor_tools(value)))
    if passed_over and not quiet:
        warn(f"warning: {path}: only one vendor has these tools, and they are left out: {', '.join(passed_over)}")
    return tools


def _choices(words: tuple[str, str, str], system: Path | None, tools: tuple[Tool, ...] | None) -> Choices:
    from sessionkit.ops.rehydrate.files import read_text
    from sessionkit.providers.replay import Bad, Choices, Missing, Orphans

    orphans, missing, bad = words
    return Choices(
        Orphans(orphans),
        Missing(missing),
        Bad.PLACEHOLDER if bad == Bad.PLACEHOLDER else Bad.KEEP,  # the limits tell of what stays
        read_text(system) if system else None,
        tools,
    )


def _style(cache: bool, detail: str | None, labels: bool, signatures: str) -> Style:
    from sessionkit.providers.base import Cache, Labels, OpenAIDetail, Signatures, Style

    return Style(
        Cache.MARK if cache else Cache.NO,
        OpenAIDetail(detail) if detail else None,
        Labels.CALL if labels else Labels.NO,
        Signatures(signatures),
    )


def _rehydrate(sessions: list[str], chosen: Options, how: _How) -> ExitCode:
    from sessionkit.cli.reports.rehydrate import report_for, verdict
    from sessionkit.ops.rehydrate import Unsendable, rehydrate
    from sessionkit.ops.sources import find_one

    if len(sessions) > 1:
        raise UsageError(f"one session becomes one body, and there are {len(sessions)}", hint="run it for each, or compare two with --diff")
    if how.as_json and how.form.curl:
        raise UsageError("--json and --curl both write to standard output", hint="choose one of the two")
    source = find_one(sessions[0])
    file = how.form.file(source)
    report = report_for(sessions[0], how.verbosity, how.as_json)
    with rehydrate(source, chosen) as result:
        code = verdict(result)
        if isinstance(result, Unsendable):
            report.refuse(result)
            return code
        report.describe(result)
        is_wanted = code is ExitCode.OK or how.form.force
        is_written = is_wanted and not (how.as_json and file is None)
        report.close(result, file, how.form.deliver(result, file) if is_written else None)
    return code


@contextmanager
def _telling(report: RehydrateReport, provider: str | None) -> Iterator[None]:
    """Let a report tell of a failure, which goes on."""
    try:
        yield
    except SessionkitError as error:
        report.fail(error, provider)
        raise


def _compare(sessions: list[str], chosen: Options | None, how: _How) -> ExitCode:
    from sessionkit.cli.reports.rehydrate import report_for, verdict
    from sessionkit.cli.reports.rehydrate.difference import tell
    from sessionkit.ops.rehydrate import Unsendable
    from sessionkit.ops.rehydrate.diff import compare_requests

    if len(sessions) != 2:  # noqa: PLR2004  what is compared
        raise UsageError("--diff compares two", why=f"{len(sessions)} are named", hint="name two sessions, or files with a body each")
    if sessions == ["-", "-"]:
        raise UsageError("standard input cannot be read twice", hint="write one of the two to a file")
    if not how.form.is_plain:
        raise UsageError("--diff writes no body", hint="leave -o, --pretty, --messages-only and --curl away")
    result = compare_requests(sessions[0], sessions[1], chosen)
    if isinstance(result, Unsendable):
        report_for(str(result.source.path), how.verbosity, how.as_json).refuse(result)
        return verdict(result)
    tell(result, sessions, how.as_json)
    return ExitCode.OK
