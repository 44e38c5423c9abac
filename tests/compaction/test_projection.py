from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.compaction import STRATEGIES
from sessionkit.compaction.base import Cleared, Marker, Plan, Settings
from sessionkit.compaction.microcompact import Microcompact
from sessionkit.compaction.projection import Boundary, Epoch, Projection, Worth, bury, judge, project, stable_messages
from sessionkit.compaction.tombstones import Tombstones
from sessionkit.core.model import Inline, Media, MediaKind, Message, Role, Text, ToolCall, ToolResult, Uri, UserKind, media_of
from sessionkit.tokens import PROFILES
from tests.compaction.looks import look
from tests.vectors.loader import Loaded, Vector, message_of, vectors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PROJECTIONS = vectors("project")
TOMBSTONES = Tombstones(look)


def test_no_vector_is_left_out() -> None:
    assert len(PROJECTIONS) == 10


def epoch_of(name: str, cut: int, planned_at: int) -> Epoch:
    [strategy] = [strategy for strategy in STRATEGIES if strategy.name == name]
    return Epoch(strategy, Plan(name, cut, range(cut), "", Marker.NONE, ()), planned_at)


def projection_of(vector: Vector) -> Projection:
    options = vector.options
    epoch = epoch_of(options["strategy"], options["cut"], options.get("planned_at", len(vector.messages)))
    return project(vector.messages, epoch, options["summary"], TOMBSTONES if options.get("tombstones") else None)


@pytest.mark.parametrize("vector", PROJECTIONS, ids=repr)
def test_vectors(vector: Vector) -> None:
    [profile] = [profile for profile in PROFILES if profile.name == vector.options["profile"]]
    projection = projection_of(vector)
    before, after = profile.total(vector.messages), profile.total(projection.messages)
    assert {
        "messages": [*map(bare, projection.front), projection.boundary, *map(bare, projection.tail)],
        "summary_wire": projection.wire,
        "tokens_before": before,
        "tokens_after": after,
        "media_bytes_before": media_bytes(vector.messages),
        "media_bytes_after": media_bytes(projection.messages),
        "verdict": judge(before, after),
    } == vector.expected | {"messages": [*map(expected, vector.expected["messages"])]}


def bare(message: Message) -> Message:
    """Vectors write the content of every message as a list."""
    return replace(message, plain=False)


def expected(raw: Loaded) -> Message | Boundary:
    if raw["role"] == "boundary":
        return Boundary(raw["epoch"], raw["kept_from"], raw["planned_at"])
    return bare(message_of(raw))


def media_bytes(messages: Iterable[Message]) -> int:
    return sum(len(media.source.data) for media in media_of(messages) if isinstance(media.source, Inline))


def test_what_came_later_is_appended() -> None:
    [short] = [vector for vector in PROJECTIONS if vector.name == "project-pi"]
    [long] = [vector for vector in PROJECTIONS if vector.name == "project-appended-keeps-prefix"]
    messages = projection_of(short).messages
    assert projection_of(long).messages[: len(messages)] == messages


def user(*blocks: Text | Media) -> Message:
    return Message(Role.USER, blocks)


def png(uri: str = "a", name: str = "") -> Media:
    return Media(MediaKind.IMAGE, Uri(uri), "image/png", name=name)


SYSTEM = Message(Role.SYSTEM, (Text("system"),))


def test_the_system_comes_first_and_is_never_appended_twice() -> None:
    messages = [user(Text("a")), SYSTEM, user(Text("b")), SYSTEM]
    projection = project(messages, epoch_of("ink", 1, 3), "s")
    assert projection.front == (SYSTEM, Message(Role.USER, (Text("s"),), plain=True))
    assert projection.tail == (messages[2], SYSTEM)


def test_a_call_without_a_result_that_was_dropped_is_gone() -> None:
    messages = [user(Text("a")), user(Text("b")), Message(Role.ASSISTANT, (ToolCall("1", "read", {}),))]
    epoch = epoch_of("qwen-split", 1, 3)
    epoch = replace(epoch, plan=replace(epoch.plan, dropped=2))
    assert project(messages, epoch, "s").tail == (messages[1],)


def test_a_picture_that_is_shown_again_later_keeps_its_tombstone() -> None:
    messages = [user(png()), user(Text("b")), user(png())]
    summaries = [project(messages[:length], epoch_of("pi", 1, 2), "s", TOMBSTONES).wire for length in (2, 3)]
    assert summaries[0] == summaries[1]
    assert "[Image Tombstone]" in summaries[0]


def test_without_lost_pictures_there_is_no_blank_line() -> None:
    projection = project([user(Text("a")), user(Text("b"))], epoch_of("ink", 1, 2), "s", TOMBSTONES)
    assert projection.wire == "s"


@pytest.mark.parametrize(
    ("before", "after", "verdict"), [(3, 2, Worth.SMALLER), (2, 2, Worth.EQUAL), (2, 3, Worth.INFLATED), (0, 0, Worth.EQUAL)]
)
def test_verdicts(before: int, after: int, verdict: Worth) -> None:
    assert judge(before, after) is verdict


def test_a_summary_of_pi_goes_out_as_a_text_whatever_the_session() -> None:
    projection = project([user(Text("a")), user(Text("b"))], epoch_of("pi", 1, 2), "s")
    assert projection.sent == (Message(Role.USER, (Text(projection.wire),), kind=UserKind.NOTE), projection.tail[0])


def test_how_much_of_a_cache_still_holds() -> None:
    messages = [SYSTEM, user(Text("a")), user(Text("b"))]
    assert stable_messages(messages, project(messages, epoch_of("ink", 2, 3), "s").messages) == 1
    assert stable_messages(messages, messages[:2]) == 2


def cleared(messages: Sequence[Message], marker: Marker = Marker.CLEARED) -> tuple[Cleared, Settings]:
    chosen = Settings(keep_recent=1, marker=marker)
    return Microcompact().plan(messages, chosen), chosen


def texts(messages: Iterable[Message]) -> list[list[str]]:
    parts = [
        [part for block in message.content for part in (block.content if isinstance(block, ToolResult) else (block,))]
        for message in messages
    ]
    return [[part.text if isinstance(part, Text) else type(part).__name__ for part in message] for message in parts]


def test_tombstones_of_what_was_cleared_in_place() -> None:
    call = Message(Role.ASSISTANT, (ToolCall("1", "shot", {"path": "b.png"}),))
    messages = [
        user(png("a", "a.png")),
        call,
        Message(Role.TOOL, (ToolResult("1", "shot", (Text("said"), png("b"))),)),
        user(png("c")),
        Message(Role.TOOL, (ToolResult("2", "shot", (png("d"),)),)),
        user(png("c")),
    ]
    outcome, settings = cleared(messages, marker=Marker.MIME)
    assert texts(bury(messages, outcome, settings, TOMBSTONES)) == [
        ['[Image Tombstone: file="a.png"] (Base64 dropped. Use read("a.png") to re-inspect)'],
        ["ToolCall"],
        ["said", '[Image Tombstone: file="b.png"] (Base64 dropped. Use read("b.png") to re-inspect)'],
        ["[image: image/png]"],
        ["Media"],
        ["Media"],
    ]


def test_older_ones_keep_their_placeholders() -> None:
    messages = [user(png("a")), user(png("b")), user(png("c"))]
    outcome, settings = cleared(messages)
    lines = texts(bury(messages, outcome, settings, replace(TOMBSTONES, most=1)))
    assert lines == [["[Old inline media cleared: image/png]"], ["[Image Tombstone] (Base64 dropped.)"], ["Media"]]


def test_nothing_cleared_is_the_same_object() -> None:
    messages = [user(png("a"))]
    outcome, settings = cleared(messages)
    assert bury(messages, outcome, settings, TOMBSTONES) is messages
