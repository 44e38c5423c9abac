"""Edits: the only way a session changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True, slots=True)
class Edit:
    """Bytes `start` to `stop` of a text give way to the chunks of `new`, which may be made as they are asked for."""

    start: int
    stop: int
    new: Iterable[bytes | memoryview]


def apply_edits(text: memoryview, edits: Iterable[Edit]) -> Iterator[bytes | memoryview]:
    """Yield the text with its edits as slices and new chunks, in order, copying nothing.

    Edits must be in order and must not overlap (ValueError). Slices are valid as long as the text is.
    """
    position = 0
    for edit in edits:
        if edit.start < position:
            message = f"edit at {edit.start} overlaps the one that ends at {position}"
            raise ValueError(message)
        if edit.start > position:
            yield text[position : edit.start]
        yield from edit.new
        position = edit.stop
    if position < len(text):
        yield text[position:]
