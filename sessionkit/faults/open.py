"""Lay a session open for the faults."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING

from sessionkit.core.assets import FOLDER
from sessionkit.core.entries import Entry
from sessionkit.core.model import Conversation
from sessionkit.core.pictures import BUDGET, Depth, Pictures
from sessionkit.core.stores.opening import open_store
from sessionkit.dataclass import dataclass
from sessionkit.faults.case import Case
from sessionkit.faults.gallery import Gallery, with_states
from sessionkit.faults.lines import open_lines
from sessionkit.faults.profiles import ANY_HOST, Wish, choose_profile
from sessionkit.faults.search import exhibits_of
from sessionkit.formats.recognition import SAMPLE, book_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from sessionkit.core.entries import Defect
    from sessionkit.core.stores.addresses import Address
    from sessionkit.faults.exhibits import Exhibit

_UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Options:
    """How a session is laid open.

    `name` is what it is called in origins and reports, `store` where its assets are; both empty for what its path says. `format` None
    is recognised; `leaf` is the last entry of the branch that is meant, None for the newest. `budget` is how many characters of base64
    are kept for those who need the bytes of pictures again, `blobs` a folder with what another tool took out.
    """

    name: str = ""
    store: Address | None = None
    format: str | None = None
    leaf: str | None = None
    wish: Wish = ANY_HOST
    depth: Depth = Depth.HEADERS
    budget: int = BUDGET
    blobs: Path | None = None


NO_OPTIONS = Options()


@contextmanager
def open_case(path: Path, options: Options = NO_OPTIONS) -> Iterator[Case]:
    """Read a plain file once, and keep it open until the block ends. A session that nobody knows has an empty conversation.

    Raises UnreadableError, RefusedError for a session that is left alone, and UsageError for an unknown leaf.
    """
    name = options.name or str(path)
    with open_lines(path) as opened, open_store(options.store or path.parent / FOLDER) as store:
        lines = opened.as_document()
        reading = _Reading(name)
        entries = reading.watched(lines.entries())
        first = list(islice(entries, SAMPLE))
        book = book_of(first, path, options.format)
        everything = chain(first, entries)
        is_known = book.id != _UNKNOWN
        conversation = book.conversation(everything, name, options.leaf) if is_known else Conversation(_UNKNOWN, ())
        for _ in entries:  # a book may stop before the end
            pass
        pictures = Pictures(store, options.depth, options.budget)
        gallery = Gallery(with_states(reading.exhibits, conversation), pictures)
        yield Case(name, book.id, conversation, choose_profile(conversation, options.wish), lines, gallery, pictures, options.blobs)


class _Reading:
    """Gathers the exhibits of entries on their way to the book."""

    def __init__(self, name: str) -> None:
        self.exhibits: list[Exhibit] = []
        self._name = name

    def watched(self, entries: Iterable[Entry | Defect]) -> Iterator[Entry | Defect]:
        for entry in entries:
            if isinstance(entry, Entry):
                self.exhibits += exhibits_of(entry, self._name)
            yield entry
