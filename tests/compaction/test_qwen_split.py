from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from sessionkit.compaction.base import Branch, Compat, NoteKind, Nothing, Plan, Reason, Settings, Trigger
from sessionkit.compaction.qwen_split import QwenSplit
from sessionkit.core.model import Inline, Media, MediaKind, Message, Role, Text, ToolCall, ToolResult

PICTURE = Media(MediaKind.IMAGE, Inline("AAAA"), "image/png")
SPLITTER = QwenSplit()


def user(*blocks: Text | Media) -> Message:
    return Message(Role.USER, blocks or (Text("w" * 100),))


def call(name: str) -> Message:
    return Message(Role.ASSISTANT, (ToolCall(name, "read", {}),))


def answer(name: str, role: Role = Role.TOOL) -> Message:
    return Message(role, (ToolResult(name, "read", (Text("w" * 100),)),))


SAID = Message(Role.ASSISTANT, (Text("w" * 100),))
META = Message(Role.META, ())
SYSTEM = Message(Role.SYSTEM, (Text("be kind"),))
EARLIER = Message(Role.COMPACTION, (Text("before"),))


def plan(*messages: Message, **settings: Fraction | Trigger | int) -> Plan:
    outcome = SPLITTER.plan(messages, Settings(**settings))  # type: ignore[arg-type]
    assert isinstance(outcome, Plan)
    return outcome


@pytest.mark.parametrize(
    ("messages", "cut", "branch"),
    [
        ((SYSTEM, META, user(), SAID, META, user()), 5, Branch.TARGET),
        ((SYSTEM, user(), SAID, META), 3, Branch.ALL_MODEL_END),  # what comes last and is never seen stays behind
        ((EARLIER, SAID, SAID, user(), SAID), 3, Branch.TARGET),
        ((user(), SAID, EARLIER, SAID), 2, Branch.TARGET),  # an earlier summary is a prompt
        ((user(), call("1"), answer("1", Role.USER)), 3, Branch.ALL_TOOL_END),
        ((user(), call("1"), answer("1", Role.USER), call("2"), answer("2"), call("3")), 1, Branch.IN_FLIGHT),
        ((user(), call("1"), answer("1"), SAID, call("2"), answer("2"), call("3")), 4, Branch.IN_FLIGHT),
    ],
)
def test_where_it_splits(messages: tuple[Message, ...], cut: int, branch: Branch) -> None:
    planned = plan(*messages, fraction=Fraction(1, 2))
    assert planned.split
    assert (planned.cut, planned.split.branch) == (cut, branch)


def test_the_summary_is_made_of_contents_without_media() -> None:
    planned = plan(SYSTEM, user(PICTURE, Text("\ud83d look")), META, SAID, user(), fraction=Fraction(1, 2))
    assert planned.summary_input == (user(Text("[image: image/png]"), Text("\ufffd look")), SAID)
    assert SPLITTER.requests(planned) == ((*planned.summary_input, replace(user(Text("{instructions}")), plain=True)),)


def test_a_call_in_flight_that_a_person_does_not_wait_for() -> None:
    planned = plan(META, user(), call("1"), answer("1"), META, call("2"), trigger=Trigger.MANUAL)
    assert planned.split
    assert (planned.cut, planned.dropped, planned.split.dropped) == (4, 5, 3)


def test_shares_before_and_after_media_are_gone() -> None:
    planned = plan(user(PICTURE), SAID, user(*[Text("w" * 400)]), fraction=Fraction(1, 2))
    assert planned.split
    assert planned.split.share == Fraction(6500, 6900)
    assert planned.split.share_after == Fraction(118, 6900)
    assert [note.kind for note in planned.notes] == [NoteKind.BELOW_MIN_FRACTION_AFTER_STRIP, NoteKind.NEWEST_MEDIA_SUMMARISED]


def test_media_have_the_tokens_that_are_set() -> None:
    planned = plan(user(PICTURE), SAID, user(), image_tokens=10)
    assert planned.split
    assert planned.split.counts[0] == 40


def test_only_a_call_in_flight() -> None:
    outcome = SPLITTER.plan((call("1"),), Settings(trigger=Trigger.MANUAL))
    assert isinstance(outcome, Nothing)
    assert (outcome.reason, outcome.split and outcome.split.dropped) == (Reason.EMPTY, 0)


def test_a_split_that_moved_back_to_nothing() -> None:
    messages = (META, Message(Role.ASSISTANT, (ToolCall("1", "read", {"text": "w" * 900}),)), user(), answer("1"))
    outcome = SPLITTER.plan(messages, Settings())
    assert isinstance(outcome, Nothing)
    assert (outcome.reason, outcome.snapped_from) == (Reason.NOTHING_BEFORE_SPLIT, 2)
    assert isinstance(SPLITTER.plan(messages, Settings(compat=Compat.UPSTREAM)), Plan)


@pytest.mark.parametrize(("tail", "bridged"), [((SAID,), True), ((META, SAID), True), ((user(),), False), ((), False)])
def test_a_tail_that_begins_with_an_answer_gets_a_prompt(tail: tuple[Message, ...], bridged: bool) -> None:
    said = [message.role for message in SPLITTER.frame("s", tail)]
    assert said == [Role.USER, Role.ASSISTANT, *([Role.USER] if bridged else [])]
