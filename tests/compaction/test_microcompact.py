from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.compaction.base import Cleared, Compat, Group, Marker, Reference, Settings, Trigger
from sessionkit.compaction.microcompact import Microcompact
from sessionkit.core.model import Inline, Media, MediaKind, Message, Origin, Role, Text, ToolResult
from tests.vectors.loader import Loaded, Vector, message_of, vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.core.model import Block

CLEARINGS = vectors("microcompact")
PNG = Media(MediaKind.IMAGE, Inline("AAAA"), "image/png")
GONE = (Text("[Old tool result content cleared]"),)


def test_no_vector_is_left_out() -> None:
    assert len(CLEARINGS) == 16


def settings_of(options: Loaded) -> Settings:
    settings = Settings(
        keep_recent=options["keep_recent"],
        trigger=Trigger(options.get("trigger", "force")),
        compat=Compat.UPSTREAM if options.get("compat") else Compat.NO,
    )
    return replace(settings, threshold=options.get("threshold", settings.threshold))


@pytest.mark.parametrize("vector", CLEARINGS, ids=repr)
def test_vectors(vector: Vector) -> None:
    cleared = Microcompact().plan(vector.messages, settings_of(vector.options))
    found = {
        "changed": cleared.messages is not vector.messages,
        "cleared": [[reference.message, reference.block, reference.group] for reference in cleared.cleared],
        "kept": cleared.kept,
        "tokens_saved": cleared.tokens_saved,
        "messages": [*cleared.messages],
    }
    expected = dict(vector.expected)
    if "messages" in expected:
        expected["messages"] = [*map(message_of, expected["messages"])]
    assert {key: found[key] for key in expected} == expected


def result(name: str, *content: Text | Media, is_error: bool = False) -> Message:
    return Message(Role.TOOL, (ToolResult("1", name, content, is_error=is_error),))


def user(*content: Block) -> Message:
    return Message(Role.USER, content)


def compact(*messages: Message, settings: Settings | None = None) -> Cleared:
    return Microcompact().plan(messages, settings or Settings(keep_recent=1))


LONG = Text("x" * 60)


@pytest.mark.parametrize(
    ("session_format", "names"),
    [
        ("qwen-code", ["read_file", "SKILL"]),
        ("pi", ["read", "ls"]),
        ("claude-code", ["powershell", "Read"]),
        ("codex", ["exec_command", "apply_patch"]),
        ("ink", ["read_file", "ls", "WebFetch", "view_image"]),
    ],
)
def test_tools_of_the_agent(session_format: str, names: list[str]) -> None:
    messages = [result(name, LONG) for name in ["mcp__x", *names, "mcp__x"]]
    cleared = compact(*messages, settings=Settings(keep_recent=1, session_format=session_format))
    assert [reference.message for reference in cleared.cleared] == [*range(1, len(names))]


def test_other_tools_by_choice() -> None:
    settings = Settings(keep_recent=1, compactable=frozenset({"MCP__X"}))
    cleared = compact(result("mcp__x", LONG), result("read", LONG), result("mcp__X", LONG), settings=settings)
    assert [reference.message for reference in cleared.cleared] == [0]


def contents(messages: Sequence[Message]) -> list[object]:
    return [block.content if isinstance(block, ToolResult) else block for message in messages for block in message.content]


@pytest.mark.parametrize(
    ("marker", "left"),
    [
        (Marker.NONE, [(LONG,)]),
        (Marker.SHORT, [(LONG, Text("[image]")), Text("[image]")]),
        (Marker.MIME, [(LONG, Text("[image: image/png]")), Text("[image: image/png]")]),
    ],
)
def test_other_marks(marker: Marker, left: list[object]) -> None:
    cleared = compact(result("x", LONG, PNG), user(PNG), result("x", PNG), user(PNG), settings=Settings(keep_recent=1, marker=marker))
    assert contents(cleared.messages[:2]) == left


def test_an_error_of_any_tool_stays_and_takes_a_place() -> None:
    messages = [result("x", PNG), result("x", Text("oh"), PNG, is_error=True)]
    cleared = compact(*messages)
    assert cleared.cleared == (Reference(0, 0, Group.NESTED_MEDIA),)
    assert cleared.messages[1] is messages[1]


def test_texts_of_more_than_one_block() -> None:
    cleared = compact(result("read", Text("x" * 20), Text("y" * 20)), result("read", LONG))
    assert (contents(cleared.messages)[0], cleared.tokens_saved) == (GONE, 10)


def test_what_qwen_code_says_beside_media_goes_with_them() -> None:
    said = Text("said", Origin(pointer="/message/parts/0/functionResponse/response"))
    beside = Text("beside", Origin(pointer="/message/parts/0/functionResponse/parts/0"))
    settings = Settings(keep_recent=1, compat=Compat.UPSTREAM)
    cleared = compact(result("x", said, beside, PNG), result("x", PNG), settings=settings)
    assert contents(cleared.messages)[0] == (said,)


def test_the_first_that_changed() -> None:
    cleared = compact(user(Text("a")), user(PNG), user(PNG))
    assert (cleared.first_changed, compact(user(PNG)).first_changed) == (1, None)


def test_images_by_another_constant() -> None:
    assert compact(user(PNG), user(PNG), settings=Settings(keep_recent=1, image_tokens=77)).tokens_saved == 77


def test_size_below_the_threshold_clears_nothing() -> None:
    settings = Settings(keep_recent=1, trigger=Trigger.SIZE, threshold=120)
    messages = (result("read", LONG), result("read", LONG))
    assert Microcompact().plan(messages, settings).messages is messages
