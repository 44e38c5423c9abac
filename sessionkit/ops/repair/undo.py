"""Put the newest backup of a session back, byte for byte; what was appended since stays."""

from __future__ import annotations

import hashlib
from contextlib import nullcontext
from typing import TYPE_CHECKING, Final

from sessionkit.core.files import Original, replace_in_place
from sessionkit.core.streams import open_source
from sessionkit.dataclass import dataclass
from sessionkit.errors import Place, RefusedError
from sessionkit.faults.lines import open_lines
from sessionkit.ops.guards import Liveness, require_idle
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.repair.alone import alone_with
from sessionkit.ops.repair.backups import backups_of, lost_backups, remove_backup
from sessionkit.ops.repair.journal import read_journal
from sessionkit.ops.repair.result import Undone
from sessionkit.ops.sources import is_packed, unpacked_name
from sessionkit.ops.writing import Effect, Writing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from sessionkit.core.streams import ByteStream
    from sessionkit.faults.lines import Lines
    from sessionkit.ops.batch import Tick
    from sessionkit.ops.repair.audit import Digest
    from sessionkit.ops.repair.backups import Backup
    from sessionkit.ops.repair.journal import Record
    from sessionkit.ops.sources import Source

_LINE_FEED: Final = b"\n"


@dataclass(frozen=True, slots=True)
class UndoTask:
    """One session to put back."""

    source: Source
    writing: Writing


def undo_session(task: UndoTask, tick: Tick) -> Undone:
    """Undo the newest repair of a session, and remove its backup and journal; a second time the repair before that.

    Raises RefusedError where there is none, or where something but the end of the session was changed since; InUseError,
    UnreadableError, UnwritableError and ChangedError.
    """
    source, writing = task.source, task.writing
    _require_unpacked(source.path)
    with open_source(source.path) as stream, alone_with(stream) if writing.effect is Effect.APPLY else nullcontext():
        if writing.liveness is Liveness.REFUSE:
            require_idle(source.path, stream.status)
        backup = _newest(source)
        with open_lines(source.path) as session, open_lines(backup.path) as kept:
            tick(session.size)
            sides = _Sides(session, kept, read_journal(backup), backup)
            outcome = _undone(sides, stream, writing)
            if writing.effect is Effect.APPLY:
                remove_backup(backup, writing.durability)
            return Undone(source, outcome, backup.path, sides.appended(outcome))


def _require_unpacked(path: Path) -> None:
    if is_packed(path.name):
        name = unpacked_name(path.name)
        why = "an archive is only ever repaired into a copy"
        hint = f"if it was packed after a repair, unpack it, and undo that of {name}; its backup is called {name}.repair-TIME.bak"
        raise RefusedError("there is nothing to undo", place=Place(str(path)), why=why, hint=hint)


def _newest(source: Source) -> Backup:
    session = source.path.resolve()
    if backups := backups_of(session):
        return backups[0]
    why = "no backup of a repair stands beside it"
    hint = f"a backup is called {session.name}.repair-TIME.bak, with a .json of that name: put both back if you moved them"
    if lost := lost_backups(session):
        why = f"of the repair that {lost[0].journal.name} tells of the backup is gone"
        hint = f"put {lost[0].path.name} back: nothing else holds the session as it was"
    raise RefusedError("there is nothing to undo", place=Place(str(source.path)), why=why, hint=hint)


def _undone(sides: _Sides, stream: ByteStream, writing: Writing) -> Outcome:
    """Put the backup back, unless a run that was killed did so."""
    if sides.held() == sides.record.before:
        return Outcome.UNCHANGED
    sides.require_backup()
    if writing.effect is Effect.APPLY:
        _put_back(sides, stream, writing)
    return Outcome.WRITTEN


def _put_back(sides: _Sides, stream: ByteStream, writing: Writing) -> None:
    with replace_in_place(Original(stream.path, stream.descriptor, stream.status), writing.durability) as output:
        for piece in sides.pieces():
            output.write(piece)


@dataclass(frozen=True, slots=True)
class _Sides:
    """The session as it is, and its backup, both open."""

    session: Lines
    kept: Lines
    record: Record
    backup: Backup

    def held(self) -> Digest:
        """Tell which text the session begins with, the repaired one or that of the backup; RefusedError if with none of them.

        The longer of the two is looked for first, since one may be the beginning of the other.
        """
        texts = sorted((self.record.before, self.record.after), key=lambda text: text.size, reverse=True)
        held = next((text for text in texts if _begins_with(self.session, text)), None)
        if held is None:
            raise self._refusal("something but its end was changed since the repair, and would be lost")
        return held

    def require_backup(self) -> None:
        """Raise RefusedError if the backup is not what it was. What came behind it must stand behind the repaired text too."""
        if not _begins_with(self.kept, self.record.before):
            hint = f"find {self.backup.path.name} as it was: its beginning had the SHA-256 {self.record.before.sha256}"
            raise RefusedError("not undone", place=Place(str(self.session.path)), why="the backup was changed", hint=hint)
        start, end = self.record.before.size, self.record.after.size
        more = self.kept.size - start
        if self.session.size - end < more or not _are_equal(self.kept.pieces(start, start + more), self.session.pieces(end, end + more)):
            raise self._refusal("something was appended to the backup, and not to the session")

    def pieces(self) -> Iterator[bytes]:
        """The text of the backup, and what was appended to the session."""
        yield from self.kept.pieces(0, self.record.before.size)
        yield self.joint()
        yield from self.session.pieces(self.record.after.size, self.session.size)

    def joint(self) -> bytes:
        """What makes the first appended record begin on a line of its own."""
        before, after = self.record.before.size, self.record.after.size
        ends = b"".join((*self.kept.pieces(max(before - 1, 0), before), *self.session.pieces(after, min(after + 1, self.session.size))))
        return _LINE_FEED if len(ends) > 1 and _LINE_FEED not in ends else b""

    def appended(self, outcome: Outcome) -> int:
        """Bytes that stand in the session behind the text that it held."""
        held = self.record.after if outcome is Outcome.WRITTEN else self.record.before
        return self.session.size - held.size

    def _refusal(self, why: str) -> RefusedError:
        hint = f"compare it with {self.backup.path.name}, and copy that over the session yourself if you want to"
        return RefusedError("not undone", place=Place(str(self.session.path)), why=why, hint=hint)


def _begins_with(lines: Lines, text: Digest) -> bool:
    if lines.size < text.size:
        return False
    found = hashlib.sha256()
    for piece in lines.pieces(0, text.size):
        found.update(piece)
    return found.hexdigest() == text.sha256


def _are_equal(pieces: Iterable[bytes], others: Iterable[bytes]) -> bool:
    return all(piece == other for piece, other in zip(pieces, others, strict=True))
