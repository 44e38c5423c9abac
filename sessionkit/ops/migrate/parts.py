"""Migrate a large session in ranges: each range into a temporary file beside the target, all of them joined at the end."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from sessionkit.core.files import OutputFile, open_regular, unwritable
from sessionkit.core.files.temporary import create_temporary
from sessionkit.core.stores.addresses import Bucket
from sessionkit.core.stores.locks.locking import Locking
from sessionkit.core.streams import Packing, PlainStream, packing_of
from sessionkit.dataclass import dataclass
from sessionkit.errors import SessionkitError
from sessionkit.ops.guards import Liveness
from sessionkit.ops.ledger import Ledger
from sessionkit.ops.migrate.options import Done, Options
from sessionkit.ops.migrate.record import note
from sessionkit.ops.migrate.session import spill, spiller_for, store_for
from sessionkit.ops.outputs import Output, PlainOutput
from sessionkit.ops.resume.marks import Mark
from sessionkit.ops.segments import Range, RangeStream, cut, is_worth_cutting
from sessionkit.ops.sessions import open_session, require_range, require_unmoved
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sessionkit.ops.batch import Tick
    from sessionkit.ops.migrate.custody import Custody
    from sessionkit.ops.resume.journal import Journal
    from sessionkit.ops.targets import Transfer

_CHUNK = 1 << 20
_HELD = Locking(None)
"""By whoever has cut the session."""


@dataclass(frozen=True, slots=True)
class Part:
    """A range of a transfer's source, and the file that takes its spilled text.

    `status` is the source's from before the first part was read.
    """

    transfer: Transfer
    options: Options
    range: Range
    text: Path
    status: os.stat_result

    def work(self, tick: Tick) -> Ledger:
        """Spill the range."""
        return migrate_part(self, tick)


def split(transfer: Transfer, options: Options, jobs: int, custody: Custody) -> list[Part]:
    """Cut a plain file that is large enough, and whose store can be locked; empty for all others."""
    target = transfer.target
    if target is None or not _is_divisible(transfer, options):
        return []
    try:
        with open_session(transfer.source) as stream:
            options.writing.make_folder_of(target, stream.status)
            ranges = cut(stream.descriptor, stream.status.st_size, jobs)
            custody.hold(store_for(transfer, options, stream, Locking()))
            return [Part(transfer, options, part, _temporary(target.parent, custody), stream.status) for part in ranges]
    except SessionkitError:
        return []  # the session as a whole will say why


def _is_divisible(transfer: Transfer, options: Options) -> bool:
    """Whether the session can be cut, is worth it, and has a place for the texts of its parts; a rehearsal has none.

    A bucket cannot be held for processes that are started later (`core/stores/s3/client.py`).
    """
    source = transfer.source
    if transfer.is_in_place or source.is_stdin or options.writing.effect is Effect.REHEARSE or isinstance(options.store, Bucket):
        return False
    return packing_of(source.path) is Packing.PLAIN and is_worth_cutting(source.size())


def _temporary(folder: Path, custody: Custody) -> Path:
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            name, file = create_temporary(descriptor)
        finally:
            os.close(descriptor)
        os.close(file)
    except OSError as error:
        raise unwritable(folder, error) from error
    custody.callback(_remove, folder / name)
    return folder / name


def _remove(path: Path) -> None:
    with suppress(FileNotFoundError):
        path.unlink()


def migrate_part(part: Part, tick: Tick) -> Ledger:
    """Spill one range: its media into the store, its text into the part's file."""
    with open_session(part.transfer.source) as stream, store_for(part.transfer, part.options, stream, _HELD) as store:
        if isinstance(stream, PlainStream):
            stream.seek(part.range.start)
        spiller = spiller_for(part.transfer, store, part.options)
        with _open_text(part.text) as (text, output):
            spill(RangeStream(stream, part.range), spiller, output, tick)
            require_range(stream, part.status, part.range.stop)
            os.ftruncate(text, output.size)  # a worker of a cluster that is lost may have written more, of a session that grew
        store.flush()
    return spiller.ledger


@contextmanager
def _open_text(path: Path) -> Iterator[tuple[int, Output]]:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_NOFOLLOW)
    except OSError as error:
        raise unwritable(path, error) from error
    try:
        yield descriptor, PlainOutput(OutputFile(descriptor, path))
    finally:
        os.close(descriptor)


def join_parts(parts: Sequence[Part], ledgers: Sequence[Ledger]) -> Done:
    """Write the texts of all parts into the target, in order, if the source is as it was when it was cut."""
    first = parts[0]
    total = Ledger()
    for ledger in ledgers:
        total.append(ledger)
    with open_session(first.transfer.source) as stream:
        stream.status = first.status
        with first.options.writing.open_output(first.transfer, stream) as output:
            for part in parts:
                output.write(_chunks(part.text))
            if first.options.writing.liveness is Liveness.REFUSE:
                require_unmoved(stream)
    return Done(output.outcome, total)


def finish_parts(parts: Sequence[Part], ledgers: Sequence[Ledger], journal: Journal | None) -> Done | SessionkitError:
    """Join the parts, and note the session in the journal."""
    first = parts[0]
    try:
        done = join_parts(parts, ledgers)
        if journal:
            note(done, first.transfer, journal, Mark.of(first.status))
    except SessionkitError as error:
        return error
    return done


def _chunks(path: Path) -> Iterator[bytes]:
    descriptor, _ = open_regular(str(path))
    try:
        while chunk := os.read(descriptor, _CHUNK):
            yield chunk
    finally:
        os.close(descriptor)
