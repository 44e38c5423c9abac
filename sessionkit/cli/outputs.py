"""Where a command line lets sessions go, and how they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeVar

from sessionkit.cli.inputs import most_explicit
from sessionkit.cli.sizes import count
from sessionkit.cli.voice import warn
from sessionkit.core.files import Durability
from sessionkit.errors import Place, UsageError
from sessionkit.ops.guards import Force, Liveness
from sessionkit.ops.outputs import Existing
from sessionkit.ops.sources import STDIN
from sessionkit.ops.targets import InPlace, Mirror, OneFile, found_in_output, plan_transfers
from sessionkit.ops.writing import Effect, Writing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
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


def plan_targets(origins: Origins, sources: Sequence[Source], outputs: Outputs, quiet: bool) -> tuple[Transfer, ...]:
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
    return tuple(plan_transfers(leave_out(sources, destination, quiet), destination))


def leave_out(sources: Sequence[Source], destination: Destination, quiet: bool) -> Sequence[Source]:
    """Leave out what an earlier run has written into the folder of the output, so that a command can be said again.

    Raises UsageError if nothing else was found.
    """
    written = found_in_output(sources, destination)
    if not written:
        return sources
    if len(written) == len(sources):
        hint = "choose an --out DIR outside of where they are"
        raise UsageError("all sessions that were found are where the output goes", place=Place(str(sources[0].path)), hint=hint)
    if not quiet:
        warn(f"left out: {count(len(written), 'session')} in the folder that the output goes to, such as {written[0].path}")
    left_out = set(map(id, written))
    return [source for source in sources if id(source) not in left_out]


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
