"""Laws of everything that takes media out of a conversation."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING
from unicodedata import category

from hypothesis import given
from hypothesis import strategies as st

from sessionkit.compaction.base import Group, Marker, Settings, Trigger
from sessionkit.compaction.microcompact import Microcompact
from sessionkit.compaction.payloads import clear_json, clear_text
from sessionkit.compaction.placeholders import is_cleared, placeholder
from sessionkit.compaction.slimming import strip
from sessionkit.compaction.tombstones import Tombstones
from sessionkit.core.model import Inline, Media, MediaKind, Message, Role, Text, ToolCall, ToolResult, Uri, media_of
from tests.compaction.dialogues import PAYLOAD, dialogues
from tests.compaction.looks import look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.core.model import Block, Json

PLACEHOLDER = re.compile(r"\[(image|document|Old inline media cleared)(: [!-~]{3,129})?\]")
BASE64_URL = re.compile(r"data:[^,]*;base64,[A-Za-z0-9+/]{64}", re.IGNORECASE)
FILE = "iVBORw0KGgo" + "A" * 300

hostile = st.text() | st.text(st.sampled_from("image/png;[]: \r\n\t\x00\x1b\u202e\u2028\ud83d")) | st.none()
hostile_media = st.builds(
    Media, st.sampled_from(MediaKind), st.just(Inline(PAYLOAD)), hostile, name=st.text(max_size=128), carried=st.just({})
)
snippets = st.sampled_from(
    ["data:", "image/png", ";base64,", PAYLOAD, FILE, "A" * 64, ",", ";", " ", "\\/", "==", "x", "/9j/", "\\n"]
) | st.text(max_size=2)
told = st.lists(snippets, max_size=12).map("".join)
values = st.recursive(told, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(told, inner, max_size=3), max_leaves=8)
markers = st.sampled_from(Marker)
keeps = st.integers(0, 3)


def flat(block: Block) -> tuple[Block, ...]:
    return block.content if isinstance(block, ToolResult) else (block,)


def parts(messages: Sequence[Message]) -> list[Block]:
    return [part for message in messages for block in message.content for part in flat(block)]


@given(dialogues, markers)
def test_strip(dialogue: tuple[Message, ...], marker: Marker) -> None:
    before = deepcopy(dialogue)
    stripped = strip(dialogue, marker)
    assert dialogue == before
    assert strip(stripped, marker) is stripped
    assert [message.role for message in stripped] == [message.role for message in dialogue]
    assert all(new is old for new, old in zip(stripped, dialogue, strict=True) if new == old)
    assert (stripped is dialogue) == (list(stripped) == list(dialogue))
    assert not [*media_of(stripped)]


@given(dialogues, markers)
def test_nothing_of_a_payload_is_left(dialogue: tuple[Message, ...], marker: Marker) -> None:
    written = repr(strip(dialogue, marker))
    assert PAYLOAD[:64] not in written
    assert not BASE64_URL.search(written)


@given(dialogues, st.sampled_from([Marker.SHORT, Marker.MIME]))
def test_each_medium_leaves_one_placeholder_in_its_place(dialogue: tuple[Message, ...], marker: Marker) -> None:
    for new, old in zip(parts(strip(dialogue, marker)), parts(dialogue), strict=True):
        if isinstance(old, Media):
            assert isinstance(new, Text)
            assert PLACEHOLDER.fullmatch(new.text)


@given(told)
def test_texts(text: str) -> None:
    cleared = clear_text(text)
    assert clear_text(cleared) == cleared
    assert not re.search(r";base64,[A-Za-z0-9+/_-]{64}", cleared)
    assert len(cleared) <= len(text)


@given(values)
def test_arguments(value: Json) -> None:
    before = deepcopy(value)
    cleared = clear_json(value)
    assert value == before
    assert clear_json(cleared) is cleared
    assert (cleared is value) == (cleared == value)


@given(hostile_media, markers)
def test_placeholders_hold_nothing_that_a_session_made_up(media: Media, marker: Marker) -> None:
    text = placeholder(media, marker)
    assert PLACEHOLDER.fullmatch(text) or marker is Marker.NONE
    assert is_cleared(text) == (marker is Marker.CLEARED)


@given(st.lists(hostile_media, min_size=1, max_size=3))
def test_tombstones_are_lines_whose_names_can_be_read(media: list[Media]) -> None:
    named = [replace(medium, source=Uri(str(at))) for at, medium in enumerate(media)]
    lines = Tombstones(look).lines([Message(Role.USER, tuple(named))], 1)
    for line, medium in zip(lines, named, strict=True):
        assert len(line.splitlines()) == 1
        assert not {category(character) for character in line} & {"Cc", "Cs", "Zl", "Zp"}
        found = re.fullmatch(r'\[\w+ Tombstone: file=("[^\[\]]*")\] \(Base64 dropped\. Use read\((".*")\) to re-inspect\)', line)
        assert [json.loads(name) for name in found.groups()] == [medium.name] * 2 if found else not medium.name


@given(dialogues, keeps, st.sampled_from([Trigger.FORCE, Trigger.SIZE]), st.integers(0, 3000))
def test_microcompact(dialogue: tuple[Message, ...], keep: int, trigger: Trigger, threshold: int) -> None:
    settings = Settings(keep_recent=keep, trigger=trigger, threshold=threshold)
    before = deepcopy(dialogue)
    cleared = Microcompact().plan(dialogue, settings)
    assert dialogue == before
    assert (cleared.messages is dialogue) == (not cleared.cleared)
    assert Microcompact().plan(cleared.messages, settings).messages is cleared.messages
    assert outline(cleared.messages) == outline(dialogue)
    assert errors(cleared.messages) == errors(dialogue)
    assert (cleared.tokens_saved > 0) == bool(cleared.cleared)
    touched = {reference.message for reference in cleared.cleared}
    assert all(new is old or at in touched for at, (new, old) in enumerate(zip(cleared.messages, dialogue, strict=True)))


def outline(messages: Sequence[Message]) -> list[list[object]]:
    """All calls, results and ids, in order."""
    return [[name_of(block) for block in message.content] for message in messages]


def name_of(block: Block) -> object:
    match block:
        case ToolCall():
            return block
        case ToolResult():
            return block.call_id, block.name, block.is_error
        case _:
            return None


def errors(messages: Sequence[Message]) -> list[Block]:
    return [block for message in messages for block in message.content if isinstance(block, ToolResult) and block.is_error]


@given(dialogues, keeps)
def test_microcompact_keeps_the_newest(dialogue: tuple[Message, ...], keep: int) -> None:
    images = [medium for message in dialogue if message.role is Role.USER for medium in message.content if isinstance(medium, Media)]
    cleared = Microcompact().plan(dialogue, Settings(keep_recent=keep))
    left = [medium for message in cleared.messages if message.role is Role.USER for medium in message.content if isinstance(medium, Media)]
    most = max(1, keep)
    assert left == images[-most:]
    assert cleared.kept[Group.MEDIA] == len(left)
