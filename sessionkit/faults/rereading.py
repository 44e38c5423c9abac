"""What the next request would be made of if the records were read that no agent reads as they are."""

from __future__ import annotations

from itertools import chain, dropwhile, islice
from typing import TYPE_CHECKING

from sessionkit.core.entries import Entry
from sessionkit.core.jsonl import split_values
from sessionkit.faults.outline import outlined
from sessionkit.faults.tree import tree_of
from sessionkit.formats.recognition import SAMPLE, book_of

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    from sessionkit.core.entries import Defect
    from sessionkit.faults.case import Case


def lines_if_read(case: Case, lines: Container[int], text: Callable[[int], bytes]) -> frozenset[int]:
    """Tell which lines the next request would be made of, and what links them, if these lines had another text, which is JSON.

    The session is read twice more.
    """
    entries = _entries(case, lines, text)
    first = list(islice(entries, SAMPLE))
    conversation = book_of(first, case.lines.path, case.format).conversation(chain(first, entries), case.path, None)
    sent = frozenset(message.origin.line for message in conversation.messages)
    path = tree_of(outlined(_entries(case, lines, text), case.path, case.format).records, case.format).path
    linked = dropwhile(lambda record: record.origin.line not in sent, path)
    return sent.union(record.origin.line for record in linked)


def _entries(case: Case, lines: Container[int], text: Callable[[int], bytes]) -> Iterator[Entry | Defect]:
    """Read the session, and of these lines the other text."""
    last = 0
    for entry in case.lines.entries():
        if entry.line not in lines:
            yield entry
        elif entry.line != last:
            yield from (Entry(value, entry.line) for value in _values(text(entry.line)) if isinstance(value, dict))
        last = entry.line


def _values(text: bytes) -> list[object]:
    try:
        return split_values(text)
    except ValueError:  # what is torn stands beside them
        return []
