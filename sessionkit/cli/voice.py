"""What is said, and where: lines on standard output or standard error, safe to show, coloured only for a terminal."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from enum import Enum, IntEnum
from typing import TYPE_CHECKING

from sessionkit.cli.printable import brief, fold, printable
from sessionkit.errors import Place, UnwritableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO

    from sessionkit.errors import SessionkitError

_PLAIN_WIDTH = 80
_WIDEST = 160


class Verbosity(IntEnum):
    """How much is said."""

    QUIET = 0
    NORMAL = 1
    VERBOSE = 2


class Style(Enum):
    """How a line looks on a terminal, as the parameter of an SGR escape sequence."""

    PLAIN = ""
    HEADING = "1"
    FAINT = "2"
    ALARM = "31"
    WARNING = "33"


class Voice:
    """Writes lines to one stream; `clear` makes room on a terminal where a progress bar may stand."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._coloured = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.clear: Callable[[], None] = lambda: None

    @property
    def width(self) -> int:
        """Columns to fill: those of the terminal, within reason; 80 elsewhere."""
        if not self._stream.isatty():
            return _PLAIN_WIDTH
        with suppress(OSError):
            return min(os.get_terminal_size(self._stream.fileno()).columns or _PLAIN_WIDTH, _WIDEST)
        return _PLAIN_WIDTH

    def line(self, text: str = "", style: Style = Style.PLAIN) -> None:
        """Write one line; what is not printable in it is escaped."""
        shown = printable(text)
        if self._coloured and style is not Style.PLAIN:
            shown = f"\x1b[{style.value}m{shown}\x1b[0m"
        self._write(shown)

    def quote(self, text: str) -> None:
        """Write one line of a text that is shown as it is; of what is not printable, tabs stay."""
        self._write("\t".join(map(printable, text.split("\t"))))

    def paragraph(self, text: str, indent: int, style: Style = Style.PLAIN) -> None:
        """Write a text in lines that fit the width, all but the first one indented further."""
        for index, line in enumerate(fold(printable(text), self.width - indent - 2)):
            self.line(" " * (indent + 2 * (index > 0)) + line, style)

    def _write(self, shown: str) -> None:
        self.clear()
        with writing_output():
            self._stream.write(shown + "\n")


@contextmanager
def writing_output() -> Iterator[None]:
    """Name standard output in the system's refusals, apart from a closed pipe, which is BrokenPipeError."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        hint = "write somewhere else, or free some space"
        raise UnwritableError("cannot be written", place=Place("standard output"), why=why, hint=hint) from error


def warn(text: str, style: Style = Style.WARNING) -> None:
    """Say a line on standard error; when even that is gone there is nobody left to tell."""
    with suppress(OSError, UnwritableError):
        Voice(sys.stderr).line(brief(text), style)


def warn_of(error: SessionkitError, session: str = "", more: str = "") -> None:
    """Say what happened, where, why, during the work on which session if the place does not tell, what is like it, and what to do next."""
    place = f"{error.place}: " if error.place else ""
    why = f": {error.why}" if error.why else ""
    warn(f"error: {place}{error.what}{why}", Style.ALARM)
    if session:
        warn(f"  while working on {session}", Style.PLAIN)
    if more:
        warn(f"  {more}", Style.PLAIN)
    if error.hint:
        warn(f"  next: {error.hint}", Style.PLAIN)
