"""Which sessions a command line names, where they go, and how they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

from sessionkit.cli.declare import Origin
from sessionkit.cli.forms import Form
from sessionkit.core.files import Durability
from sessionkit.errors import UsageError
from sessionkit.ops.guards import Force, Liveness
from sessionkit.ops.outputs import Existing
from sessionkit.ops.sources import STDIN, Descent, find_sources, read_list
from sessionkit.ops.targets import InPlace, Mirror, OneFile, plan_transfers
from sessionkit.ops.writing import Effect, Writing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from sessionkit.cli.declare import Origins
    from sessionkit.ops.batch import Batch
    from sessionkit.ops.failed import Failed
    from sessionkit.ops.resume.plan import Resumable
    from sessionkit.ops.sources import Source
    from sessionkit.ops.targets import Destination, Transfer

Result = TypeVar("Result")

Outputs: TypeAlias = "tuple[Path | None, Path | None, bool]"
"""Values of --out, -o and --in-place."""

_NAMES = {"out": "--out", "output": "-o", "in_place": "--in-place"}
_HINT = "--out DIR writes below a folder, -o FILE writes one session (- for standard output), --in-place replaces the sessions themselves"


def find(paths: Sequence[str] | None, files_from: Path | None, recursive: bool) -> list[Source]:
    """Sessions of the arguments and of the list, in this order."""
    words = list(paths or ())
    if "" in words:
        raise UsageError("a path is empty", hint="`.` is the working folder, and with -r all sessions below it")
    if files_from is not None:
        if files_from == STDIN and str(STDIN) in words:
            raise UsageError("standard input is named as a session and as the list of sessions", hint="write the list to a file")
        words += read_list(files_from)
    return find_sources(words, Descent.RECURSIVE if recursive else Descent.REFUSE_FOLDERS)


def plan_targets(origins: Origins, sources: Sequence[Source], outputs: Outputs) -> tuple[Transfer, ...]:
    """Pair each session with its target. Raises UsageError unless exactly one output is named; stdin alone goes to stdout."""
    given = {name: value for name, value in zip(_NAMES, outputs, strict=True) if value}
    match most_explicit(origins, given):
        case ["out"] if outputs[0]:
            destination: Destination = Mirror(outputs[0])
        case ["output"] if outputs[1]:
            destination = OneFile(outputs[1])
        case ["in_place"]:
            destination = InPlace()
        case [] if len(sources) == 1 and sources[0].is_stdin:
            destination = OneFile(STDIN)
        case []:
            raise UsageError("no output is named", hint=_HINT)
        case several:
            raise UsageError(f"more than one output is named: {' and '.join(_NAMES[name] for name in several)}", hint=_HINT)
    return tuple(plan_transfers(sources, destination))


def most_explicit(origins: Origins, names: Collection[str]) -> list[str]:
    """Those of the options whose values come from the strongest source: what was typed beats the environment, and that a file."""
    first = min((origins[name] for name in names), default=Origin.DEFAULT)
    return [name for name in names if origins[name] is first]


def choose_form(origins: Origins, form: Form, as_json: bool) -> Form:
    """Settle --json and --output-format: the one that was said more explicitly. Raises UsageError where they say two things."""
    match most_explicit(origins, ["as_json", "output_format"] if as_json else ["output_format"]):
        case ["as_json"]:
            return Form.JSON
        case [_, _] if form is not Form.JSON:
            raise UsageError(f"--json and --output-format {form} name two formats", hint="choose one")
        case _:
            return form


def split_commas(words: Iterable[str] | None) -> Iterator[str]:
    """Each of the words of an option that may be repeated, and that may hold several with commas between."""
    for word in words or ():
        yield from filter(None, map(str.strip, word.split(",")))


def writing(dry_run: bool, force: bool, live: bool, no_fsync: bool) -> Writing:
    """Choices of all commands that write sessions."""
    return Writing(
        Effect.REHEARSE if dry_run else Effect.APPLY,
        Existing.REPLACE if force else Existing.KEEP,
        Liveness.ACCEPT if live else Liveness.REFUSE,
        Durability.NO_SYNC if no_fsync else Durability.SYNC,
    )


def resumed(plan: Resumable[Result], journal: Path | None) -> Callable[[Batch], Iterator[Result | Failed]]:
    """Choose how to carry out a plan: as if nothing was done before, or with a journal."""
    if journal is None:
        return plan.run
    from sessionkit.ops.resume.plan import Resumption

    return Resumption(plan, journal).run


def force_of(force: bool) -> Force:
    """What --force means for the guards of a change in place."""
    return Force.PLAIN_FILES if force else Force.NO
