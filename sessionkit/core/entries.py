"""The entries of a session, parsed, with its long media left where they are."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.edits import Edit, apply_edits
from sessionkit.core.jsonl import BlockReader, TooDeepError, loads
from sessionkit.core.media.finder import Look, Site, find_sites, look_at
from sessionkit.core.media.triage import LONG, Candidate, long_runs
from sessionkit.core.slices import Slice
from sessionkit.core.streams import PlainStream
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.jsonl import Block
    from sessionkit.core.streams import ByteStream

JsonObject: TypeAlias = dict[str, object]


@dataclass(frozen=True, slots=True)
class Entry:
    """One JSON object of a line (from 1). Where the object holds long inline media, a Slice stands in the place of the string."""

    value: JsonObject
    line: int


@dataclass(frozen=True, slots=True)
class Defect:
    """What is no entry on a line: broken JSON, JSON that is nested too deep to be read, or a value that is no object."""

    line: int
    cause: str


_idle: list[BlockReader] = []
"""Readers that nobody uses now; one session may be read in the middle of another, so there may be several."""


def read_entries(stream: ByteStream) -> Iterator[Entry | Defect]:
    """Parse every line. Glued values are entries of one line; what is whole before a defect counts; blank lines give nothing."""
    for block in blocks_of(stream):
        yield from read_block(stream, block)


def blocks_of(stream: ByteStream) -> Iterator[Block]:
    """Read the blocks whose lines `read_block` parses."""
    reader = _idle.pop() if _idle else BlockReader()
    try:
        yield from reader.blocks(stream)
    finally:
        _idle.append(reader)


def read_block(stream: ByteStream, block: Block) -> Iterator[Entry | Defect]:
    """Parse the lines of one block of the stream."""
    line, position = block.line, 0
    for candidate in _with_long_runs(block):
        yield from _plain_lines(block, position, candidate.start, line)
        line += block.data.count(b"\n", position, candidate.start)
        yield from _read_line(stream, block, candidate, line)
        line, position = line + 1, candidate.stop
    yield from _plain_lines(block, position, block.stop, line)


def _with_long_runs(block: Block) -> Iterator[Candidate]:
    """Lines that may hold media which is worth leaving in its file; short media may as well be read."""
    stop = 0
    for line_stop, runs in groupby(long_runs(block.data, 0, block.stop), attrgetter("line_stop")):
        mine = tuple(runs)
        start = block.data.rfind(b"\n", stop, mine[0].start) + 1 or stop
        stop = line_stop
        yield Candidate(start, stop, mine)


def _plain_lines(block: Block, start: int, stop: int, line: int) -> Iterator[Entry | Defect]:
    """Lines without long media: the JSON library alone, unless it refuses."""
    data = block.data
    while start < stop:
        end = data.find(b"\n", start, stop) + 1 or stop
        try:
            value = loads(data[start:end])
        except ValueError:
            yield from _odd_line(block, Candidate(start, end, tuple(long_runs(block.data, start, end))), line)
        else:
            yield _entry(value, line)
        start, line = end, line + 1


def _entry(value: object, line: int) -> Entry | Defect:
    return Entry(value, line) if isinstance(value, dict) else Defect(line, "not an object")


def _odd_line(block: Block, candidate: Candidate, line: int) -> Iterator[Entry | Defect]:
    """A blank, glued, torn or broken line; one with a byte order mark, NUL bytes, NaN or a lone surrogate."""
    yield from _values(look_at(block.data, candidate), [], line)


def _read_line(stream: ByteStream, block: Block, candidate: Candidate, line: int) -> Iterator[Entry | Defect]:
    look = look_at(block.data, candidate)
    sites = [site for site in find_sites(look) if _can_stay(site)] if isinstance(stream, PlainStream) else []
    slices = [(site, _slice(stream, block, site)) for site in sites]
    yield from _values(look, slices, line)


def _can_stay(site: Site) -> bool:
    payload = site.payload
    return payload.stop - payload.start >= LONG and not site.escaped and not site.scope.repeated


def _slice(stream: ByteStream, block: Block, site: Site) -> Slice:
    payload = site.payload
    prefix = block.data[site.value.start + 1 : payload.start].decode("utf-8", "replace")
    return Slice(stream.path, block.offset + payload.start, payload.stop - payload.start, prefix)


def _values(look: Look, slices: list[tuple[Site, Slice]], line: int) -> Iterator[Entry | Defect]:
    for root in look.forest.roots:
        span = look.span(root.start, root.stop)
        inside = [(site, piece) for site, piece in slices if span.start <= site.value.start < span.stop]
        edits = [Edit(site.payload.start, site.payload.stop, ()) for site, _ in inside]
        text = b"".join(apply_edits(memoryview(look.data)[: span.stop], [Edit(0, span.start, ()), *edits]))
        try:
            value = loads(text)
        except TooDeepError as error:
            yield Defect(line, str(error))
            continue
        except ValueError as error:  # a control character in a long string
            yield Defect(line, f"not JSON: {error}")
            continue
        for site, piece in inside:
            _put(value, site, piece)
        yield _entry(value, line)
    if look.forest.error is not None:
        yield Defect(line, f"not JSON: {look.forest.reason}")


def _put(value: object, site: Site, piece: Slice) -> None:
    """Put the slice where its string stood."""
    steps: list[str | int] = [site.step]
    scope = site.scope
    while scope.outer is not None:
        steps.append(scope.step)
        scope = scope.outer
    steps.reverse()
    for step in steps[:-1]:
        value = _child(value, step)
    match value, steps[-1]:
        case dict(), str() as name:
            value[name] = piece
        case list(), int() as index:
            value[index] = piece


def _child(value: object, step: str | int) -> object:
    match value, step:
        case dict(), str():
            return value[step]
        case list(), int():
            return value[step]
        case _:
            raise AssertionError(step)
