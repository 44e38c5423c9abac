"""Where the text of a session goes: a file, the session's own file, standard output, or nowhere."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from contextlib import contextmanager, nullcontext
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.core.files import OutputFile, open_regular, unwritable, write_atomic
from sessionkit.errors import Place, RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager

    from typing_extensions import Buffer

    from sessionkit.core.files import Durability, Original

_STDOUT = 1


class Existing(Enum):
    """What may happen to another file that stands at the target."""

    KEEP = auto()
    REPLACE = auto()


class Outcome(Enum):
    """What became of a target; UNCHANGED when it held already what would have been written."""

    WRITTEN = auto()
    UNCHANGED = auto()
    RESUMED = auto()
    """An earlier run of the same batch has written it, and nobody has touched it since."""


class Output(ABC):
    """Takes the text piece by piece; `size` is what it has taken, in bytes."""

    def __init__(self) -> None:
        self.size = 0
        self.outcome = Outcome.WRITTEN

    @abstractmethod
    def write(self, pieces: Iterable[Buffer]) -> None:
        """Take all pieces, in order."""

    def _counted(self, pieces: Iterable[Buffer]) -> Iterator[Buffer]:
        for piece in pieces:
            self.size += memoryview(piece).nbytes
            yield piece


class NoOutput(Output):
    """Counts what would be written."""

    def write(self, pieces: Iterable[Buffer]) -> None:
        """Count all pieces."""
        for _ in self._counted(pieces):
            pass


class PlainOutput(Output):
    """Writes to an open file or pipe."""

    def __init__(self, file: OutputFile) -> None:
        super().__init__()
        self._file = file

    def write(self, pieces: Iterable[Buffer]) -> None:
        """Write all pieces."""
        self._file.write_many(self._counted(pieces))


class ComparedOutput(Output):
    """Hands the text on, and compares it meanwhile with the file that it is to replace."""

    def __init__(self, output: Output, held: int) -> None:
        super().__init__()
        self._output = output
        self._held = held
        self._agrees = True

    def write(self, pieces: Iterable[Buffer]) -> None:
        """Hand on all pieces."""
        self._output.write(self._compared(pieces))

    def _compared(self, pieces: Iterable[Buffer]) -> Iterator[Buffer]:
        for piece in pieces:
            self._agrees = self._agrees and self._compare(piece)
            self.size += memoryview(piece).nbytes
            yield piece

    def _compare(self, piece: Buffer) -> bool:
        """Whether the file has the same bytes there, as far as it goes."""
        held = os.pread(self._held, memoryview(piece).nbytes, self.size)
        return bytearray(held) == memoryview(piece)[: len(held)]  # bytes would be compared item by item, which is slow

    def equals(self) -> bool:
        """Whether the file held already what was written."""
        return self._agrees and os.fstat(self._held).st_size == self.size

    def continues(self) -> bool:
        """Whether what was written begins with all that the file held."""
        return self._agrees and os.fstat(self._held).st_size <= self.size


class _EqualError(Exception):
    """Leaves the block of an atomic write, so that the target stays untouched."""


def standard_output() -> Output:
    """Write to standard output."""
    return PlainOutput(OutputFile(_STDOUT, Path("standard output")))


@contextmanager
def new_file(target: Path, like: os.stat_result | None, existing: Existing, durability: Durability) -> Iterator[Output]:
    """Write a file atomically, with the mode and times of `like`.

    An equal one that stands there is left untouched, and one that the new text continues is replaced;
    any other is replaced only on request, else RefusedError.
    """
    held = _open_held(target)
    if held is None:
        with write_atomic(target, like, durability) as file:
            yield PlainOutput(file)
        return
    output = None
    try:
        with write_atomic(target, like, durability) as file:
            output = ComparedOutput(PlainOutput(file), held)
            yield output
            _require_replaceable(target, output, existing)
    except _EqualError:
        if output is not None:
            output.outcome = Outcome.UNCHANGED
    finally:
        os.close(held)


@contextmanager
def in_place(original: Original, durability: Durability) -> Iterator[Output]:
    """Replace a session by the text, if nobody wrote to it meanwhile; leave it untouched if the text is its own."""
    from sessionkit.core.files import replace_in_place  # noqa: PLC0415  seldom wanted, and it costs start-up

    output = None
    try:
        with replace_in_place(original, durability) as file:
            output = ComparedOutput(PlainOutput(file), original.descriptor)
            yield output
            _require_difference(output)
    except _EqualError:
        if output is not None:
            output.outcome = Outcome.UNCHANGED


def rehearsed(target: Path, existing: Existing) -> AbstractContextManager[Output]:
    """Find out what writing the text to a file would come to, RefusedError included, and write nothing."""
    held = _open_held(target)
    return nullcontext(NoOutput()) if held is None else _compared(target, held, existing)


@contextmanager
def _compared(target: Path, held: int, existing: Existing) -> Iterator[Output]:
    output = ComparedOutput(NoOutput(), held)
    try:
        yield output
        _require_replaceable(target, output, existing)
    except _EqualError:
        output.outcome = Outcome.UNCHANGED
    finally:
        os.close(held)


def _require_difference(output: ComparedOutput) -> None:
    if output.equals():
        raise _EqualError


def _require_replaceable(target: Path, output: ComparedOutput, existing: Existing) -> None:
    _require_difference(output)
    if existing is Existing.KEEP and not output.continues():
        raise RefusedError(
            "another file stands here",
            place=Place(str(target)),
            why="its content is not what would be written, nor the beginning of it",
            hint="choose another output, or say --force to replace it",
        )


def _open_held(target: Path) -> int | None:
    """Open what stands at the target; None if nothing does."""
    try:
        return open_regular(str(target))[0]
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unwritable(target, error) from error
