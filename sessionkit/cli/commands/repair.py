"""`sessionkit repair`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sessionkit.cli import options
from sessionkit.cli.choices import among
from sessionkit.cli.declare import Option, Origin, Origins
from sessionkit.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionkit.cli.conduct import Manner
    from sessionkit.ops.repair import Aim, Slim
    from sessionkit.ops.sources import Source
    from sessionkit.ops.targets import Destination
    from sessionkit.ops.writing import Writing

EPILOG = """\b
Examples:
  sessionkit repair a.jsonl                      what would be done
  sessionkit repair a.jsonl --apply              close the agent, and do it
  sessionkit repair a.jsonl --undo               as it was, byte for byte
  sessionkit repair - -o - < a.jsonl > b.jsonl   a copy, in a pipe
  sessionkit repair -r ~/.claude/projects --apply
  sessionkit repair a.jsonl --line 41 --path /message/content/0 --note
  sessionkit repair a.jsonl --slim twins --slim dead --apply

\b
Without --apply, -o or --out nothing is written. With --apply the session is
replaced; as it was it stays beside it as NAME.repair-TIME.bak, and what was
done is told in NAME.repair-TIME.json. Every picture that leaves a session is
kept as images/<sha256>.<type>; a torn record, with what is in it, as .bin.
Mode and time of the session stay.

\b
FAULT is an id that `sessionkit explain` lists. What only some want is done
with an option of its own: --relink, --pairs, --dedupe, --unhide, --all (what
is asleep too), --only FAULT, --slim KIND. Kinds, which go with no cure:
twins (copies for the screen), dead (images from before a compaction),
repeats (the same image again), off-path (other branches; needs --yes).

\b
Exit codes, of a run without --apply too: 0 all is cured, or nothing was
wrong; 1 something is left; 3 not repaired: in use, changed meanwhile, ...
"""


_NAMES = {"out": "--out", "output": "-o", "apply": "--apply"}
_OF_CURES = (
    *("store", "blobs", "only", "skip", "line", "path", "note", "no_resize", "everything", "relink", "pairs", "dedupe", "unhide"),
    *("slim", "yes", "profile", "direct", "max_images", "decode", "session_format", "force", "lock_timeout"),
)
"""Options that say nothing of how a backup is put back."""
_SAID_AS = {"everything": "all", "session_format": "format"}


def repair(  # noqa: PLR0913  an option is a parameter
    origins: Origins,
    *,
    paths: options.Paths = None,
    recursive: options.Recursive = False,
    files_from: options.FilesFrom = None,
    apply: Annotated[bool, Option("--apply", help="Replace the sessions, each with a backup beside it.")] = False,
    undo: Annotated[bool, Option("--undo", help="Put the newest backup of each session back.")] = False,
    out: options.Out = None,
    output: options.Output = None,
    store: options.Store = None,
    blobs: Annotated[
        Path | None, Option("--blobs", metavar="DIR", help="Find in DIR the pictures that another tool took out, by SHA-256.")
    ] = None,
    only: Annotated[
        list[str] | None, Option("--only", metavar="FAULT", help="Cure this fault alone, also where it is only a note.")
    ] = None,
    skip: Annotated[list[str] | None, Option("--skip", metavar="FAULT", help="Leave this fault as it is.")] = None,
    line: Annotated[int | None, Option("--line", metavar="N", min=1, help="Cure only what is on this line of one session.")] = None,
    path: Annotated[str | None, Option("--path", metavar="POINTER", help="Cure only what is at this JSON pointer in the line.")] = None,
    note: Annotated[bool, Option("--note", help="Put a note there, whether a rule is broken or not.")] = False,
    no_resize: Annotated[
        bool, Option("--no-resize", negative="--resize", help="Put a note, and no smaller picture, in the place of a large one.")
    ] = False,
    everything: Annotated[bool, Option("--all", help="Cure also what is asleep: on branches that are not sent.")] = False,
    relink: Annotated[bool, Option("--relink", help="Hang records whose parent is lost on the one before.")] = False,
    pairs: Annotated[bool, Option("--pairs", help="Cure also calls and results without each other that do no harm.")] = False,
    dedupe: Annotated[bool, Option("--dedupe", help="Take out records that stand there twice.")] = False,
    unhide: Annotated[bool, Option("--unhide", help="Take away marks that hide images, whatever the images are.")] = False,
    slim: Annotated[
        list[str] | None,
        Option("--slim", metavar="KIND", parser=among("twins", "dead", "repeats", "off-path"), help="Make it smaller instead; see below."),
    ] = None,
    yes: Annotated[bool, Option("--yes", help="Slim branches too that you might go back to.")] = False,
    profile: options.Rules = None,
    direct: options.Direct = False,
    max_images: options.MaxImages = None,
    decode: options.Decode = False,
    session_format: options.Format = None,
    dry_run: options.DryRun = False,
    live: options.Live = False,
    force: options.Force = False,
    no_fsync: options.NoFsync = False,
    lock_timeout: options.LockTimeout = options.LOCK_TIMEOUT,
    jobs: options.Jobs = None,
    fail_fast: options.FailFast = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> ExitCode:
    """Cure what breaks sessions; exit 1 if something is left."""
    from sessionkit.cli.conduct import conduct, manner
    from sessionkit.cli.inputs import find, split_commas
    from sessionkit.cli.outputs import leave_out, writing
    from sessionkit.cli.reports.repair import report_for
    from sessionkit.core.pictures import Depth
    from sessionkit.dataclass import replace
    from sessionkit.faults.base import Resizing
    from sessionkit.faults.profiles import Hosts, Wish
    from sessionkit.ops import repair as op
    from sessionkit.ops.targets import plan_transfers

    sources, how = find(paths, files_from, recursive), manner(jobs, fail_fast, quiet, verbose)
    if undo:
        _refuse_outputs(out, output, apply)
        _refuse_cures(origins)
        return _undo(sources, writing(dry_run, force, live, no_fsync), how, as_json)
    destination = _destination(origins, {"out": out, "output": output, "apply": apply})
    is_dry = dry_run or destination is None
    switches = {"relink": relink, "pairs": pairs, "dedupe": dedupe, "unhide": unhide, "all": everything}
    chosen = op.Options(
        only=frozenset(split_commas(only)),
        skip=frozenset(split_commas(skip)),
        granted=frozenset(option for option, is_on in switches.items() if is_on),
        slims=_slims(slim or (), yes or is_dry),
        aim=_aim(sources, line, path),
        cures=op.Cures.NOTE if note else op.Cures.BY_RULES,
        resizing=Resizing.REFUSED if no_resize else Resizing.ALLOWED,
        wish=Wish(profile, Hosts.OWN if direct else Hosts.ANY, max_images),
        depth=Depth.PIXELS if decode else Depth.HEADERS,
        format=session_format,
        store=store,
        blobs=blobs,
        writing=replace(writing(is_dry, force, live, no_fsync), lock_timeout=lock_timeout),
    )
    target = destination or _imagined(sources)
    transfers = tuple(plan_transfers(leave_out(sources, target, quiet), target))
    how = how.beside(transfers) if destination else how
    return conduct(op.Plan(transfers, chosen).run, sources, report_for(how, chosen, as_json), how)


def _undo(sources: Sequence[Source], chosen: Writing, how: Manner, as_json: bool) -> ExitCode:
    from sessionkit.cli.conduct import conduct
    from sessionkit.cli.reports.repair import report_of_undo
    from sessionkit.ops.repair import UndoPlan

    if any(source.is_stdin for source in sources):
        raise UsageError("standard input has no backup", hint="name the session")
    return conduct(UndoPlan(tuple(sources), chosen).run, sources, report_of_undo(how, chosen.effect, as_json), how)


def _refuse_outputs(out: Path | None, output: Path | None, apply: bool) -> None:
    if apply:
        raise UsageError("--apply and --undo are opposites", hint="--undo alone puts the backups back")
    if out or output:
        raise UsageError("--undo puts backups back where they were", hint="leave --out and -o away")


def _refuse_cures(origins: Origins) -> None:
    for name in _OF_CURES:
        if origins[name] is Origin.TYPED:
            option = _SAID_AS.get(name, name).replace("_", "-")
            raise UsageError(f"--{option} does nothing with --undo", hint="--undo puts the whole session back: leave one of the two out")


def _destination(origins: Origins, given: dict[str, object]) -> Destination | None:
    """Where the sessions go; None if nothing is to be written."""
    from sessionkit.cli.inputs import most_explicit
    from sessionkit.ops.targets import InPlace, Mirror, OneFile

    match most_explicit(origins, [name for name, value in given.items() if value]), given:
        case ["out"], {"out": Path() as folder}:
            return Mirror(folder)
        case ["output"], {"output": Path() as file}:
            return OneFile(file)
        case ["apply"], _:
            return InPlace()
        case [], _:
            return None
        case several, _:
            named = " and ".join(_NAMES[name] for name in several)
            raise UsageError(f"more than one output is named: {named}", hint="--apply replaces the sessions, --out and -o write copies")


def _imagined(sources: Sequence[Source]) -> Destination:
    """Where a dry run writes nothing to: the sessions themselves, or standard output where there is only standard input."""
    from sessionkit.ops.sources import STDIN
    from sessionkit.ops.targets import InPlace, OneFile

    return OneFile(STDIN) if len(sources) == 1 and sources[0].is_stdin else InPlace()


def _slims(kinds: Iterable[str], is_sure: bool) -> frozenset[Slim]:
    from sessionkit.ops.repair import Slim

    slims = frozenset(map(Slim, kinds))
    if Slim.OFF_PATH in slims and not is_sure:
        why = "whoever goes back to another branch finds notes there"
        raise UsageError("--slim off-path needs --yes", why=why, hint="look at the plan without --apply first")
    return slims


def _aim(sources: Sequence[Source], line: int | None, path: str | None) -> Aim | None:
    from sessionkit.ops.repair import Aim

    if path is not None and not path.startswith("/"):
        raise UsageError(f"--path {path!r} is no JSON pointer", hint="write it as `sessionkit check` does: /message/content/0")
    if line is None:
        if path is not None:
            raise UsageError("--path needs --line", hint="a pointer leads into a line: name it too")
        return None
    if len(sources) > 1:
        raise UsageError(f"--line is about one session, and there are {len(sources)}", hint="name one session")
    return Aim(line, path or "")
