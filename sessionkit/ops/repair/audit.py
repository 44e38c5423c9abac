"""Read the original and its repaired version once more: between the planned places not a byte may differ."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass
from sessionkit.errors import Place, RefusedError
from sessionkit.ops.repair.provenance import Copied, Fresh

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.lines import Lines
    from sessionkit.ops.repair.provenance import Provenance


@dataclass(frozen=True, slots=True)
class Digest:
    """Bytes of a file or of a part of it, and their SHA-256."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Change:
    """Bytes `start` to `stop` of a line of the original gave way to others; they may reach over the lines that follow.

    `faults` are the ids of what was cured there, `assets` the references of the files that keep what stood there.
    """

    line: int
    start: int
    stop: int
    before: Digest
    after: Digest
    faults: tuple[str, ...]
    assets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Audit:
    """Both versions, and all that is different."""

    before: Digest
    after: Digest
    changes: tuple[Change, ...]

    @property
    def is_equal(self) -> bool:
        """Whether nothing is different in the end."""
        return self.before == self.after


def audit(original: Lines, repaired: Lines, provenance: Provenance) -> Audit:
    """Compare the two versions; RefusedError if they differ elsewhere, and UnreadableError or ChangedError if they cannot be read."""
    auditor = _Auditor(original, repaired)
    changes = tuple(auditor.changes(provenance))
    return Audit(auditor.before.digest, auditor.after.digest, changes)


class _Hash:
    """A hash that knows how many bytes it has seen."""

    def __init__(self) -> None:
        self.size = 0
        self._hash = hashlib.sha256()

    def add(self, data: bytes) -> None:
        self.size += len(data)
        self._hash.update(data)

    @property
    def digest(self) -> Digest:
        return Digest(self.size, self._hash.hexdigest())


class _Auditor:
    """Goes through two files side by side."""

    def __init__(self, original: Lines, repaired: Lines) -> None:
        self._original = original
        self._repaired = repaired
        self.before = _Hash()
        self.after = _Hash()

    def changes(self, provenance: Provenance) -> Iterator[Change]:
        pieces = provenance.pieces
        for at, piece in enumerate(pieces):
            match piece:
                case Copied():
                    self._require_equal(piece)
                case Fresh():
                    behind = next((other.start for other in pieces[at + 1 : at + 2] if isinstance(other, Copied)), provenance.whole)
                    yield self._change(piece, behind)
        if self.after.size != self._repaired.size or self.before.size != provenance.whole:
            raise self._refusal()

    def _require_equal(self, piece: Copied) -> None:
        if piece.start != self.before.size:
            raise self._refusal()
        kept = self._original.pieces(piece.start, piece.stop)
        copied = self._repaired.pieces(self.after.size, self.after.size + piece.size)
        for one, other in zip(kept, copied, strict=True):
            if one != other:
                raise self._refusal()
            self.before.add(one)
            self.after.add(other)

    def _change(self, fresh: Fresh, stop: int) -> Change:
        start, begin = self.before.size, self.after.size
        line = self._original.at(start)
        offset = self._original.offset(line)
        before = self._digest(self._original, (start, stop), self.before)
        after = self._digest(self._repaired, (begin, begin + fresh.size), self.after)
        return Change(line, start - offset, stop - offset, before, after, tuple(sorted(fresh.faults)), tuple(sorted(fresh.assets)))

    def _digest(self, lines: Lines, span: tuple[int, int], whole: _Hash) -> Digest:
        own = _Hash()
        for data in lines.pieces(*span):
            own.add(data)
            whole.add(data)
        return own.digest

    def _refusal(self) -> RefusedError:
        place = Place(str(self._original.path))
        why = "its repaired version would differ in places that were not planned"
        return RefusedError("not repaired", place=place, why=why, hint="close its agent and run again; if that does not help, report it")
