"""Read a session for its references, and for media that are not references yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.jsonl import LineCounter
from sessionkit.core.media.finder import find_sites, look_at
from sessionkit.core.media.glance import Glancer
from sessionkit.core.media.intake import Cause, Intake
from sessionkit.core.media.policy import Policy
from sessionkit.core.media.references import OddReference, find_references
from sessionkit.core.media.triage import candidates
from sessionkit.core.streams import PlainStream
from sessionkit.dataclass import dataclass
from sessionkit.errors import Place
from sessionkit.ops.findings import Finding, FindingKind, Severity
from sessionkit.ops.rehearsal import Nowhere
from sessionkit.ops.segments import RangeStream
from sessionkit.ops.sessions import open_session, reader
from sessionkit.ops.verify.gathered import Claim, Gathered

if TYPE_CHECKING:
    from collections.abc import Callable

    from sessionkit.core.jsonl import Block
    from sessionkit.core.media.finder import Look
    from sessionkit.core.media.triage import Candidate
    from sessionkit.core.streams import ByteStream
    from sessionkit.ops.segments import Range
    from sessionkit.ops.sources import Source

_NOT_YET = "not migrated yet"
_REFERENCE = b'"asset_path"'
_MEND = "mend the line by hand, or migrate the original session again: restore cannot see them either"


@dataclass(frozen=True, slots=True)
class Part:
    """A session to read, or a range of its file."""

    source: Source
    range: Range | None = None


def gather(part: Part, tick: Callable[[int], None]) -> Gathered:
    """Read it to its end."""
    with open_session(part.source) as stream:
        gatherer = _Gatherer(str(stream.path))
        for block in reader.blocks(_ranged(stream, part.range)):
            gatherer.read(block)
            tick(block.stop)
    gatherer.gathered.lines = reader.newlines
    return gatherer.gathered


def _ranged(stream: ByteStream, range_: Range | None) -> ByteStream | RangeStream:
    if range_ is None or not isinstance(stream, PlainStream):
        return stream
    stream.seek(range_.start)
    return RangeStream(stream, range_)


class _Gatherer:
    def __init__(self, path: str) -> None:
        self.gathered = Gathered()
        self._path = path
        self._intake = Intake(Nowhere(), Policy())
        self._glancer = Glancer()

    def read(self, block: Block) -> None:
        lines = LineCounter(block)
        for candidate in candidates(block.data, block.stop):
            line = lines.at(candidate.start)
            sights = self._glancer.glance(block.data, candidate)
            if sights is None:
                self._look_at_line(look_at(block.data, candidate), candidate, line)
                continue
            for sight in sights:
                self.gathered.claim(Claim(sight.asset, sight.size), line, sight.pointer)

    def _look_at_line(self, look: Look, candidate: Candidate, line: int) -> None:
        self._read_line(look, line)
        if look.forest.error is not None:
            self._add_bad_line(look, candidate, line)

    def _read_line(self, look: Look, line: int) -> None:
        for found in find_references(look):
            pointer = found.scope.pointer()
            if isinstance(found, OddReference):
                self.gathered.lost.add(_odd(found, Place(self._path, line, pointer)))
            else:
                self.gathered.claim(Claim(found.asset, found.size), line, pointer)
        self._intake.next_line()
        for site in find_sites(look):
            taken = self._intake.take(look, site)
            self._note(FindingKind.INLINE_MEDIA, Place(self._path, line, site.pointer()), taken if isinstance(taken, Cause) else _NOT_YET)

    def _add_bad_line(self, look: Look, candidate: Candidate, line: int) -> None:
        kind, place, cause = FindingKind.BAD_LINE, Place(self._path, line), f"not JSON: {look.forest.reason}"
        if look.data.find(_REFERENCE, _unread(look, candidate), candidate.stop) < 0:
            self._note(kind, place, cause)
        else:
            self.gathered.lost.add(Finding(kind, place, f"{cause}; behind that place stand references", _MEND, raised=Severity.ERROR))

    def _note(self, kind: FindingKind, place: Place, cause: str) -> None:
        self.gathered.notes.add(Finding(kind, place, cause, _hint(kind, cause)))


def _unread(look: Look, candidate: Candidate) -> int:
    """Place behind the last whole value of a line that breaks."""
    return look.skeleton.origin(look.forest.roots[-1].stop) if look.forest.roots else candidate.start


def _odd(found: OddReference, place: Place) -> Finding:
    hint = "if an agent wrote it, leave it; if it was changed later, put back what sessionkit wrote, or migrate the original again"
    return Finding(FindingKind.ODD_REFERENCE, place, found.reason, hint, asset=found.path[:200])


def _hint(kind: FindingKind, cause: str) -> str:
    if kind is FindingKind.BAD_LINE:
        return "nothing to do: it passes through as it is"
    match cause:
        case _ if cause == _NOT_YET:
            return "`sessionkit migrate` puts it into a file"
        case Cause.LINE_BREAKS | Cause.URL_SAFE | Cause.MISSING_PADDING | Cause.STRAY_BITS | Cause.ESCAPED:
            return "`sessionkit migrate --normalize` takes it, and gives it back equal in value, not in bytes"
        case _:
            return "nothing to do: it stays as it is"
