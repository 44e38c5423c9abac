"""Recorded sessions damaged by a splice or a few: what fixtures and tests of faults are made of."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from sessionkit.core.base64 import encode
from sessionkit.core.entries import Entry
from sessionkit.core.sniff import sniff
from sessionkit.faults.exhibits import Place
from sessionkit.faults.open import NO_OPTIONS, Options, open_case
from sessionkit.faults.places import Places
from sessionkit.faults.search import exhibits_of
from tests.pictures import picture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit

_S = TypeVar("_S", bound="Session")

FIXTURES = Path(__file__).parents[2] / "fixtures"
FORMATS = ("claude-code", "codex", "gemini-cli", "ink", "native", "pi", "plain", "qwen-code")
RECORDED = tuple(path for format_ in FORMATS for path in sorted((FIXTURES / format_).glob("*/session.jsonl")))
"""Every good session."""
_SHORT = 100_000
"""Bytes of a line whose pictures are looked for only once."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session as its raw lines, each with its line feed. Every method gives another one; lines count from 1, pictures from 0."""

    lines: tuple[bytes, ...]

    @classmethod
    def recorded(cls, case: str, lines: int | None = None) -> Self:
        """Take a fixture such as `pi/session`, or its first lines."""
        raw = (FIXTURES / case / "session.jsonl").read_bytes()
        return cls(tuple(raw.splitlines(keepends=True))[:lines])

    @property
    def content(self) -> bytes:
        return b"".join(self.lines)

    @property
    def exhibits(self) -> tuple[Exhibit, ...]:
        found = ((_remembered if len(raw) < _SHORT else _exhibits)(raw, at) for at, raw in enumerate(self.lines, 1))
        return tuple(chain.from_iterable(found))

    def picture(self, number: int) -> tuple[Exhibit, ...]:
        """All that show one picture: the message that holds it first, its twins and copies."""
        first = [exhibit for exhibit in self.exhibits if exhibit.place is Place.MESSAGE][number]
        return tuple(other for other in self.exhibits if (other.owner, other.number) == (first.owner, first.number))

    def with_line(self, line: int, raw: bytes) -> Self:
        """Put other bytes in the place of a line; none to delete it, several lines to insert some."""
        return replace(self, lines=(*self.lines[: line - 1], *raw.splitlines(keepends=True), *self.lines[line:]))

    def with_value(self, line: int, pointer: str, value: object) -> Self:
        """Put another JSON value in the place of one."""
        raw, span = self.lines[line - 1], Places(self.lines[line - 1]).value(pointer)
        return self.with_line(line, raw[: span.start] + _json(value) + raw[span.stop :])

    def without(self, line: int, pointer: str) -> Self:
        """Take a member or item out."""
        raw, ((_, span),) = self.lines[line - 1], Places(self.lines[line - 1]).taken_out([pointer])
        return self.with_line(line, raw[: span.start] + raw[span.stop :])

    def with_items(self, line: int, pointer: str, *items: object) -> Self:
        """Put items at the end of a list; bytes are JSON already."""
        raw, places = self.lines[line - 1], Places(self.lines[line - 1])
        more = b",".join(item if isinstance(item, bytes) else _json(item) for item in items)
        end = places.end(pointer)
        return self.with_line(line, raw[:end] + (b"," if places.size(pointer) else b"") + more + raw[end:])

    def with_text(self, number: int, text: str) -> Self:
        """Put a text in the place of a picture's base64, everywhere; data URLs keep their prefix."""
        return self._changed(number, lambda session, one: session.with_value(one.line, _value(one), one.prefix + text))

    def with_label(self, number: int, mime: str) -> Self:
        """Say that a picture is of another type, everywhere."""
        return self._changed(number, lambda session, one: _labelled(session, one, mime))

    def with_image(self, number: int, data: bytes, mime: str | None = None) -> Self:
        """Put other bytes in the place of a picture, everywhere, with the type that they have or the one that is named."""
        return self.with_label(number, mime or sniff(data).mime).with_text(number, encode(data).decode())

    def grown(self, number: int, count: int) -> Self:
        """Put so many more pictures, each another one, behind a picture in its own list."""
        one = self.picture(number)[0]
        block = Session((Places(self.lines[one.line - 1]).text(one.block),))
        value = _value(one).removeprefix(one.block)
        texts = (one.prefix + encode(picture("PNG", size=(16 + at, 16))).decode() for at in range(count))
        return self.with_items(one.line, one.block.rpartition("/")[0], *(block.with_value(1, value, text).content for text in texts))

    def _changed(self, number: int, change: Callable[[Self, Exhibit], Self]) -> Self:
        session = self
        for exhibit in self.picture(number):
            session = change(session, exhibit)
        return session


@contextmanager
def opened(folder: Path, session: Session | bytes, options: Options = NO_OPTIONS) -> Iterator[Case]:
    """Write a session into a folder, and lay it open."""
    path = folder / "session.jsonl"
    path.write_bytes(session if isinstance(session, bytes) else session.content)
    with open_case(path, options) as case:
        yield case


def _labelled(session: _S, exhibit: Exhibit, mime: str) -> _S:
    if exhibit.label is not None:
        return session.with_value(exhibit.line, exhibit.label, mime)
    if not exhibit.prefix:
        return session
    text = json.loads(Places(session.lines[exhibit.line - 1]).text(_value(exhibit)))
    return session.with_value(exhibit.line, _value(exhibit), f"data:{mime};base64,{text.rpartition(',')[2]}")


def _value(exhibit: Exhibit) -> str:
    assert exhibit.value is not None
    return exhibit.value


def _exhibits(raw: bytes, at: int) -> tuple[Exhibit, ...]:
    value = _parsed(raw)
    return tuple(exhibits_of(Entry(value, at), "")) if isinstance(value, dict) else ()


_remembered = cache(_exhibits)


def _parsed(raw: bytes) -> object:
    try:
        return json.loads(raw)
    except ValueError:
        return None


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
