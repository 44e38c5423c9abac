"""`sessionkit compact`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sessionkit.cli import options
from sessionkit.cli.budget import choose_gate, choose_image_tokens, parse_part, require_window
from sessionkit.cli.choices import among
from sessionkit.cli.declare import Option, Origin, Origins
from sessionkit.errors import ExitCode, SessionkitError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.cli.conduct import Manner, Report
    from sessionkit.cli.reports.compact.wants import Wants
    from sessionkit.ops.batch import Batch
    from sessionkit.ops.compact import Compacted, Open, Options, Tombstoned
    from sessionkit.ops.failed import Failed
    from sessionkit.ops.sources import Source
    from sessionkit.providers.base import Provider

EPILOG = """\b
Examples:
  sessionkit compact a.jsonl --window 200000
  sessionkit compact a.jsonl --compare
  sessionkit compact a.jsonl --show input
  sessionkit compact a.jsonl --summary s.md --tombstones --show projection
  sessionkit compact a.jsonl --keep-recent-tokens 3000 --plot a.svg
  sessionkit compact -r sessions --recorded --json

\b
Strategies: pi (the default), my-pi, qwen-split, microcompact and ink; auto is
that of each session's own agent. Profiles, which count tokens: neutral, pi,
my-pi, qwen, codex, claude, gemini, measured; by default the strategy's own.

\b
Some settings have the names that agents give them too, as options, in files
and in the environment: keepRecentTokens, reserveTokens (--reserve),
imageTokenEstimate, toolResultsNumToKeep (--keep-recent) and
contextPercentageThreshold (--watermark).
"""

_ONLY = {
    "fraction": ("qwen-split",),
    "retain_rounds": ("qwen-split",),
    "keep_recent": ("microcompact",),
    "compactable": ("microcompact",),
    "trigger": ("qwen-split", "microcompact"),
    "prefix_summary": ("pi",),
}
"""Options that only some strategies know. Nobody is surprised that --keep-recent-tokens says nothing to those that do not count them."""
_OF_PLANS = (
    "keep_recent_tokens",
    "marker",
    "tombstones",
    "max_tombstones",
    "tool_chars",
    "compat",
    "window",
    "provider",
    "summary",
    *_ONLY,
)
"""Options that say nothing of what the agent itself has done."""


def compact(  # noqa: PLR0913  an option is a parameter
    origins: Origins,
    *,
    paths: options.Paths = None,
    recursive: options.Recursive = False,
    files_from: options.FilesFrom = None,
    store: options.Store = None,
    leaf: options.Leaf = None,
    session_format: options.Format = None,
    strategy: Annotated[str, Option("--strategy", metavar="NAME", help="Compact as this strategy does; see below.")] = "pi",
    compare: Annotated[bool, Option("--compare", help="Show all strategies side by side.")] = False,
    recorded: Annotated[bool, Option("--recorded", help="List the compactions that the agent itself has made.")] = False,
    show: Annotated[
        str | None,
        Option(
            "--show",
            metavar="WHAT",
            parser=among("input", "projection"),
            help="Print what is summarised: input; or what the context is then: projection.",
        ),
    ] = None,
    summary: Annotated[
        Path | None, Option("--summary", metavar="FILE", help="Read from FILE the text that stands for what is summarised.")
    ] = None,
    prefix_summary: Annotated[
        Path | None, Option("--prefix-summary", metavar="FILE", help="pi: read from FILE the summary of a split turn; both are joined.")
    ] = None,
    provider: Annotated[
        str | None, Option("--provider", metavar="NAME", help="Count the bytes of this provider's request; --show projection prints it.")
    ] = None,
    plot: Annotated[Path | None, Option("--plot", metavar="FILE", help="Draw the tokens of the messages: FILE.svg or FILE.png.")] = None,
    force: Annotated[bool, Option("--force", help="Replace another file by the plot.")] = False,
    keep_recent_tokens: Annotated[
        int, Option("--keep-recent-tokens", metavar="N", min=0, help="pi, my-pi, ink: keep the newest N tokens as they are.")
    ] = 20_000,
    fraction: Annotated[
        str, Option("--fraction", metavar="SHARE", parser=parse_part, help="qwen-split: summarise this share of the characters.")
    ] = "0.7",
    retain_rounds: Annotated[
        int, Option("--retain-rounds", metavar="N", min=0, help="qwen-split: keep N rounds before a call in flight.")
    ] = 2,
    keep_recent: Annotated[int, Option("--keep-recent", metavar="N", min=1, help="microcompact: keep N blocks of each group.")] = 5,
    compactable: Annotated[
        str | None,
        Option("--compactable", metavar="TOOLS", help="microcompact: clear results of these tools, with commas [default: the agent's]."),
    ] = None,
    trigger: Annotated[
        str | None,
        Option(
            "--trigger",
            metavar="WHAT",
            parser=among("auto", "manual", "force", "idle", "size"),
            help="Start it so; qwen-split: auto, manual; microcompact: force, idle, size.",
        ),
    ] = None,
    marker: Annotated[
        str | None,
        Option(
            "--marker", metavar="STYLE", parser=among("none", "short", "mime"), help="Put this in the place of media: none, short, mime."
        ),
    ] = None,
    tombstones: Annotated[bool, Option("--tombstones", help="Leave a line that names each picture that is gone.")] = False,
    max_tombstones: Annotated[
        int, Option("--max-tombstones", metavar="N", min=1, help="Leave at most N of these lines, for the newest pictures.")
    ] = 20,
    tool_chars: Annotated[
        int | None, Option("--tool-chars", metavar="N", min=0, help="Take N characters of a result into the input [default: as the agent].")
    ] = None,
    compat: Annotated[bool, Option("--compat", help="Do as the code of the agents does, and lose what it loses.")] = False,
    profile: Annotated[
        str | None, Option("--profile", metavar="NAME", help="Count as this profile does [default: the strategy's own]; see below.")
    ] = None,
    image_tokens: options.ImageTokens = None,
    window: options.Window = None,
    watermark: options.Watermark = None,
    gate: options.Gate = "watermark",
    reserve: Annotated[
        int | None, Option("--reserve", metavar="N", min=0, help="Keep N tokens free, by the gate pi [default: 16384].")
    ] = None,
    jobs: options.Jobs = None,
    dask: options.Dask = None,
    fail_fast: options.FailFast = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> ExitCode:
    """Preview what a compaction would do. No model is asked, and no session is changed."""
    from fractions import Fraction

    from sessionkit.cli.conduct import manner
    from sessionkit.cli.inputs import find
    from sessionkit.cli.reports.compact.wants import Wants, sheet
    from sessionkit.compaction.base import Compat, Marker, Settings, Trigger
    from sessionkit.ops.compact import Options
    from sessionkit.ops.conversations import Selection

    sources = find(paths, files_from, recursive)
    if not compare:
        _require_effect(origins, strategy)
        if recorded and not (as_json or plot):
            _require_plan(origins)
    limit = choose_gate(origins, gate, watermark, reserve)
    require_window(origins, window)
    settings = Settings(
        keep_recent_tokens=keep_recent_tokens,
        marker=Marker(marker) if marker else None,
        compat=Compat.UPSTREAM if compat else Compat.NO,
        tool_chars=tool_chars,
        fraction=Fraction(fraction),
        retain_rounds=retain_rounds,
        trigger=Trigger(trigger) if trigger else None,
        keep_recent=keep_recent,
        compactable=_names(compactable),
    )
    wants = Wants(show, compare, recorded, sheet(plot, force), as_json, len(sources) == 1)
    wants.require_one({"--show": show, "--summary": summary, "--prefix-summary": prefix_summary, "--plot": plot, "--leaf": leaf})
    answer = summary or prefix_summary
    chosen = Options(
        strategy=strategy,
        settings=settings,
        profile=profile,
        image_tokens=choose_image_tokens(origins, image_tokens),
        gate=limit,
        window=window,
        provider=_provider(provider),
        summary=_text(summary),
        prefix_summary=_text(prefix_summary),
        tombstones=_tombstones(origins, tombstones, max_tombstones),
        telling=wants.telling(answer),
        store=store,
        selection=Selection(session_format, leaf),
    )
    how = manner(jobs, fail_fast, quiet, verbose).on(dask)
    return _show(sources, chosen, how, wants) if wants.is_open(answer) else _preview(sources, chosen, how, wants)


def _require_effect(origins: Origins, strategy: str) -> None:
    """Refuse an option that was typed, and that the strategy does not know; UsageError."""
    for name, knowing in _ONLY.items():
        if strategy not in (*knowing, "auto") and origins[name] is Origin.TYPED:
            option = f"--{name.replace('_', '-')}"
            hint = f"it is for {' and '.join(knowing)}: name one with --strategy, or leave {option} out"
            raise UsageError(f"{option} does nothing with the strategy {strategy}", hint=hint)


def _require_plan(origins: Origins) -> None:
    """Refuse an option that was typed, and that is about a plan, where only the past is told; UsageError."""
    for name in _OF_PLANS:
        if origins[name] is Origin.TYPED:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"{option} does nothing with --recorded", hint="leave one of the two out, or add --json, which tells both")


def _provider(name: str | None) -> Provider | None:
    if name is None:
        return None
    from sessionkit.providers import provider_of

    return provider_of(name)


def _names(listed: str | None) -> frozenset[str] | None:
    names = None if listed is None else frozenset(filter(None, map(str.strip, listed.split(","))))
    if names is not None and not names:
        raise UsageError("--compactable names no tool", hint="name tools with commas between them, such as read,bash")
    return names


def _text(path: Path | None) -> str | None:
    if path is None:
        return None
    from sessionkit.ops.rehydrate.files import read_text

    return read_text(path)


def _tombstones(origins: Origins, wanted: bool, most: int) -> Tombstoned | None:
    from sessionkit.ops.compact import Tombstoned

    if not wanted and origins["max_tombstones"] is Origin.TYPED:
        raise UsageError("--max-tombstones alone leaves none", hint="add --tombstones")
    return Tombstoned(most) if wanted else None


def _preview(sources: Sequence[Source], chosen: Options, how: Manner, wants: Wants) -> ExitCode:
    from sessionkit.cli.conduct import conduct
    from sessionkit.cli.reports.compact import report_for
    from sessionkit.ops.compact import Plan

    report: Report[Compacted] = report_for(how, chosen, len(sources), wants.as_json)
    if wants.plot:
        from sessionkit.cli.reports.compact.plotted import Plotted

        report = Plotted(report, how, wants.plot)
    return conduct(Plan(tuple(sources), chosen).run, sources, report, how)


def _show(sources: Sequence[Source], chosen: Options, how: Manner, wants: Wants) -> ExitCode:
    """Tell of one session while it is open."""
    from sessionkit.cli.conduct import conduct
    from sessionkit.cli.reports.compact.plotted import write_plot
    from sessionkit.cli.reports.compact.shown import open_report_for
    from sessionkit.ops.compact import compacting
    from sessionkit.ops.failed import Failed

    def work(_batch: Batch) -> Iterator[Open | Failed]:
        try:
            with compacting(sources[0], chosen) as result:
                if wants.plot:
                    write_plot(result.compacted, wants.plot, how.verbosity)
                yield result
        except SessionkitError as error:
            yield Failed(sources[0], error)

    return conduct(work, sources, open_report_for(how, chosen, wants.as_json), how)
