"""Every message and block of every format tells where it stands: a line of the session, and a pointer to a value of that line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.entries import Entry, read_entries
from sessionkit.core.model import Block, Conversation, Origin, ToolResult
from sessionkit.core.streams import open_source
from sessionkit.formats import FORMATS
from tests.formats.outlines import read

if TYPE_CHECKING:
    from collections.abc import Iterator

FIXTURES = Path(__file__).parents[2] / "fixtures"
SESSIONS = [path for book in FORMATS for path in sorted((FIXTURES / book.id).glob("*/session.jsonl"))]


def origins(conversation: Conversation) -> Iterator[Origin]:
    for message in conversation.messages:
        yield message.origin
        yield from origins_of(message.content)


def origins_of(blocks: tuple[Block, ...]) -> Iterator[Origin]:
    for block in blocks:
        yield block.origin
        if isinstance(block, ToolResult):
            yield from origins_of(block.content)


def leads_somewhere(pointer: str, value: object) -> bool:
    """Whether an RFC 6901 pointer finds something in a value."""
    for step in (step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]):
        match value:
            case dict() if step in value:
                value = value[step]
            case list() if step.isdecimal() and int(step) < len(value):
                value = value[int(step)]
            case _:
                return False
    return True


@pytest.mark.parametrize("path", dict.fromkeys(SESSIONS), ids=lambda path: "/".join(path.parts[-3:-1]))
def test_every_origin_leads_to_a_value_of_its_line(path: Path) -> None:
    lines: dict[int, list[object]] = {}
    with open_source(path) as stream:
        for entry in read_entries(stream):
            if isinstance(entry, Entry):
                lines.setdefault(entry.line, []).append(entry.value)
    lost = [
        origin
        for origin in origins(read(path))
        if origin.path != "session.jsonl" or not any(leads_somewhere(origin.pointer, value) for value in lines.get(origin.line, []))
    ]
    assert lost == []
