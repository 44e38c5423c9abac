"""Scan sessions, one after the other or in several processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass
from sessionkit.errors import SessionkitError
from sessionkit.formats import detect, read_head
from sessionkit.ops.batch import Batch, Sized
from sessionkit.ops.dispatch import run
from sessionkit.ops.failed import Failed
from sessionkit.ops.scan.scanner import Scanner
from sessionkit.ops.scan.tally import ScanKind, Tally
from sessionkit.ops.sessions import open_session, reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sessionkit.core.jsonl import Block
    from sessionkit.formats import Head
    from sessionkit.ops.sources import Source


@dataclass(frozen=True, slots=True)
class Scanned:
    """A session that was read to its end; `format` is the id of the book that recognised it."""

    source: Source
    format: str
    tally: Tally

    def kinds(self) -> frozenset[ScanKind]:
        """Tell what a check may refuse."""
        unknown = {ScanKind.UNKNOWN_FORMAT} if self.format == "unknown" else set()
        return self.tally.has() | unknown


def scan(sources: Sequence[Source], batch: Batch) -> Iterator[Scanned | Failed]:
    """Scan every session; results in the order of the sources.

    Memory is bounded by the longest line and the number of different media.
    """
    tasks = [Sized(source, source.size()) for source in sources]
    for source, result in zip(sources, run(scan_session, tasks, batch), strict=True):
        yield Failed(source, result) if isinstance(result, SessionkitError) else result


def scan_session(source: Source, tick: Callable[[int], None]) -> Scanned:
    """Read a whole session."""
    head = None if source.is_stdin else read_head(source.path)
    scanner = None
    with open_session(source) as stream:
        for block in reader.blocks(stream):
            head = head or _head_of(block)
            scanner = scanner or Scanner(head)
            scanner.read(block)
            tick(block.stop)
    return Scanned(source, detect(head or read_head(b"")).id, scanner.tally if scanner else Tally())


def _head_of(block: Block) -> Head:
    """Recognise what cannot be opened a second time by its first block."""
    return read_head(bytes(block.data[: block.stop]))
