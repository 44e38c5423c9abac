"""Tables that fit the width, written row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.printable import cells, printable, shorten
from sessionkit.cli.voice import Style
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.cli.voice import Voice

_GAP = 2


@dataclass(frozen=True, slots=True)
class Column:
    """A column to the right of the first one; `width` in cells of a terminal."""

    title: str
    width: int


class Table:
    """The first column holds names, and takes the width that the others leave; the others hold figures, flush right."""

    def __init__(self, voice: Voice, title: str, columns: Sequence[Column]) -> None:
        self._voice = voice
        self._columns = columns
        self._room = max(len(title), voice.width - sum(column.width + _GAP for column in columns))
        self._title = title
        self._is_begun = False

    def row(self, name: str, *figures: str) -> None:
        """Write a row, and the titles before the first one."""
        if not self._is_begun:
            self._is_begun = True
            self._write(self._title, [column.title for column in self._columns], Style.HEADING)
        self._write(name, figures, Style.PLAIN)

    def _write(self, name: str, figures: Sequence[str], style: Style) -> None:
        shown = shorten(printable(name), self._room)
        padded = shown + " " * (self._room - cells(shown))
        texts = [figure.rjust(column.width + _GAP) for column, figure in zip(self._columns, figures, strict=True)]
        self._voice.line((padded + "".join(texts)).rstrip(), style)
