"""Names that stand twice in one object: every reader takes the last one, and nothing in the conversation tells of the first."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from sessionkit.core.model import Origin
from sessionkit.ops.sessions import open_session, reader
from sessionkit.providers.replay import Note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Conversation
    from sessionkit.ops.sources import Source

_LONGEST: Final = 1 << 20
"""Bytes of a line. Longer ones are pictures for the most part, which are not to be held in memory."""


def tell_repeated_names(source: Source, conversation: Conversation) -> Iterator[Note]:
    """Read the lines of the conversation's messages again, and tell of the names. `source` must be one that can be read twice."""
    lines = {message.origin.line for message in conversation.messages}
    with open_session(source) as stream:
        for block in reader.blocks(stream):
            for line in block.lines():
                if line.number in lines and len(line.raw) <= _LONGEST:
                    for name in sorted(_repeated(line.raw)):
                        text = f"the name {json.dumps(name)} stands more than once in an object: the last value is taken"
                        yield Note(text, Origin(str(source.path), line.number))


def _repeated(line: bytes) -> set[str]:
    found: set[str] = set()

    def look(pairs: list[tuple[str, object]]) -> None:
        if len(dict(pairs)) < len(pairs):
            counts = Counter(name for name, _ in pairs)
            found.update(name for name, count in counts.items() if count > 1)

    with suppress(ValueError, RecursionError):  # what is no JSON is told as such
        json.loads(line.decode(errors="replace"), object_pairs_hook=look)
    return found
