"""Cut large sessions in ranges, so that several processes gather from one; and put together what they found."""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.streams import Packing, packing_of
from sessionkit.dataclass import dataclass
from sessionkit.errors import SessionkitError, StoppedError
from sessionkit.ops.batch import Sized
from sessionkit.ops.dispatch import run
from sessionkit.ops.segments import Range, cut_at, share
from sessionkit.ops.sessions import open_session
from sessionkit.ops.verify.gather import Part, gather
from sessionkit.ops.verify.gathered import Gathered

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from sessionkit.ops.batch import Batch
    from sessionkit.ops.dispatch import Crew
    from sessionkit.ops.sources import Source

_LEAST = 4 << 20
"""Bytes of a range; what smaller ones hold is read before the message about them has come back."""

Outcome: TypeAlias = tuple["Source", Gathered | SessionkitError]


@dataclass(frozen=True, slots=True)
class _Cut:
    """The parts of one session; `status` is its file's from when it was cut, if it was."""

    source: Source
    parts: tuple[Sized[Part], ...]
    status: os.stat_result | None = None


def gather_all(sources: Sequence[Source], crew: Crew) -> Iterator[Outcome]:
    """Read all sessions, in as many processes as there may be, which begin at once; the order is that of the sources."""
    sizes = [source.size() for source in sources]
    width = crew.batch.width
    step = max(_LEAST, share(sum(sizes), width)) if width > 1 else sys.maxsize
    cuts = [_cut(source, size, step) for source, size in zip(sources, sizes, strict=True)]
    results = crew.run(gather, [part for cut in cuts for part in cut.parts])
    return ((cut.source, _joined(cut, list(islice(results, len(cut.parts))), crew.batch)) for cut in cuts)


def _cut(source: Source, size: int, step: int) -> _Cut:
    if size < 2 * step or packing_of(source.path) is not Packing.PLAIN:
        return _Cut(source, (Sized(Part(source), size),))
    try:
        with open_session(source) as stream:
            ranges = cut_at(stream.descriptor, size, step)
            ranges[-1] = Range(ranges[-1].start, sys.maxsize)  # what is appended meanwhile belongs to the session too
            return _Cut(source, tuple(_sized(source, part, size) for part in ranges), stream.status)
    except (SessionkitError, OSError):
        return _Cut(source, (Sized(Part(source), size),))  # reading will say why


def _sized(source: Source, part: Range, size: int) -> Sized[Part]:
    return Sized(Part(source, part), min(part.stop, size) - part.start)


def _joined(cut: _Cut, results: Sequence[Gathered | SessionkitError], batch: Batch) -> Gathered | SessionkitError:
    """Put the parts of a session together. Of several errors the first counts, unless it only says that others ended the batch."""
    errors = [result for result in results if isinstance(result, SessionkitError)]
    if errors:
        return min(errors, key=lambda error: isinstance(error, StoppedError))
    if cut.status is not None and _was_replaced(cut.source, cut.status):
        return next(run(gather, [Sized(Part(cut.source), 0)], batch))
    first, *others = _gathered(results)
    for other in others:
        first.append(other)
    return first


def _gathered(results: Sequence[Gathered | SessionkitError]) -> Iterator[Gathered]:
    return (result for result in results if isinstance(result, Gathered))


def _was_replaced(source: Source, before: os.stat_result) -> bool:
    """Whether the ranges may have been of another file than the one that was cut, or of one that was cut short."""
    try:
        now = source.path.stat()
    except OSError:
        return True
    return (before.st_dev, before.st_ino) != (now.st_dev, now.st_ino) or now.st_size < before.st_size
