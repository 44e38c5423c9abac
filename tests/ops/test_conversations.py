"""From a file to its conversation: what is read, and what is told instead of an empty answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Media, MediaKind
from sessionkit.errors import RefusedError, UnreadableError, UsageError
from sessionkit.ops.conversations import Selection, read_conversation
from sessionkit.ops.sources import Descent, find_sources
from tests.ops.runs import FIXTURES

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.model import Conversation


def conversation(path: Path, selection: Selection | None = None) -> Conversation:
    (source,) = find_sources([str(path)], Descent.REFUSE_FOLDERS)
    return read_conversation(source, lambda _size: None, selection or Selection())


def test_a_document_of_many_lines_is_not_read_as_an_empty_session() -> None:
    with pytest.raises(UnreadableError, match="no message could be read"):
        conversation(FIXTURES / "wires" / "pi-openai-chat.json")


def test_what_no_format_recognises_is_told_with_what_was_looked_for(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text('{"a":1}\n')
    with pytest.raises(RefusedError, match="not a session of a known format") as caught:
        conversation(tmp_path / "s.jsonl")
    assert "claude-code" in caught.value.why


def test_an_unknown_format_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="unknown format"):
        Selection(format="word")


@pytest.mark.parametrize("name", ["input.jsonl", "expected.jsonl"])
def test_blocks_of_bedrock_are_media_inline_and_spilled(name: str) -> None:
    (message,) = conversation(FIXTURES / "shapes" / "bedrock" / name).messages
    kinds = [block.kind for block in message.content if isinstance(block, Media)]
    assert kinds == [MediaKind.IMAGE, MediaKind.DOCUMENT, MediaKind.IMAGE]
