"""Which exhibits a cure is for: a picture that stands several times is cured everywhere alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit

_ALL_COPIES: Final = frozenset({"gemini-cli"})
"""Agents that take older copies up again when they resume."""


def everywhere(case: Case, exhibit: Exhibit, has_fault: Callable[[Exhibit], bool]) -> tuple[Exhibit, ...]:
    """Find where a cure that loses nothing is done: here, at its twins, and wherever the same bytes have the same fault."""
    others = (*case.gallery.twins(exhibit), *case.gallery.copies(exhibit))
    return with_all((exhibit, *filter(has_fault, others)))


def everywhere_live(case: Case, exhibit: Exhibit) -> tuple[Exhibit, ...]:
    """Find what a note, or other bytes, will replace: this exhibit, its live copies with the same bytes, and the twins of them all."""
    every = case.format in _ALL_COPIES
    copies = case.gallery.copies(exhibit)
    same = {copy.spot for copy in (exhibit, *copies)}
    shown = (exhibit, *(copy for copy in copies if copy.is_live or every))
    # A twin that shows something else by now is not what is at fault.
    return with_all((*shown, *(twin for twin in case.gallery.kin(shown) if twin.spot in same)))


def with_all(exhibits: Iterable[Exhibit]) -> tuple[Exhibit, ...]:
    """Put exhibits in the order of their lines, each once."""
    found = {exhibit.spot: exhibit for exhibit in exhibits}
    return tuple(sorted(found.values(), key=lambda exhibit: (exhibit.line, exhibit.block)))
