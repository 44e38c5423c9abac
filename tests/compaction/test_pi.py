from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sessionkit.compaction.base import Files, Note, NoteKind, Nothing, Plan, Reason, Settings
from sessionkit.compaction.pi import Pi, join_answers
from sessionkit.core.model import Inline, Json, Media, MediaKind, Message, Role, Text, ToolCall, ToolResult
from tests.formats.outlines import read

SESSION = Path("fixtures/pi/compacted/session.jsonl")
COMPACTION = next(entry for entry in map(json.loads, SESSION.read_bytes().splitlines()) if entry["type"] == "compaction")
BEFORE = read(SESSION, leaf=COMPACTION["parentId"]).messages
PICTURE = Media(MediaKind.IMAGE, Inline("AAAA"), "image/png")


def plan(messages: tuple[Message, ...], settings: Settings) -> Plan:
    outcome = Pi().plan(messages, settings)
    assert isinstance(outcome, Plan)
    return outcome


def user(*blocks: Text | Media) -> Message:
    return Message(Role.USER, blocks)


def assistant(text: str = "ok") -> Message:
    return Message(Role.ASSISTANT, (Text(text),))


@pytest.mark.parametrize(("keep", "entry"), [(1000, "87cad858"), (3000, "b8a156a0"), (5000, "6ffb85b6")])
def test_cuts_of_a_recorded_session(keep: int, entry: str) -> None:
    planned = plan(BEFORE, Settings(keep_recent_tokens=keep))
    assert BEFORE[planned.cut].origin.entry == entry
    assert planned.turn_start == 5


def test_by_default_the_recorded_session_is_kept() -> None:
    assert Pi().plan(BEFORE, Settings()) == Nothing("pi", Reason.UNDER_BUDGET)


def test_right_after_a_compaction_there_is_nothing_to_do() -> None:
    """What it kept stands behind it here, but before it in the session."""
    messages = read(SESSION, leaf=COMPACTION["id"]).messages
    assert messages[-1].role is Role.ASSISTANT
    assert Pi().plan(messages, Settings(keep_recent_tokens=1)) == Nothing("pi", Reason.ENDS_IN_COMPACTION)


def test_pi_came_to_the_same() -> None:
    planned = plan(BEFORE, Settings(keep_recent_tokens=3000))
    assert BEFORE[planned.cut].origin.entry == COMPACTION["firstKeptEntryId"]
    assert [*planned.files.read] == COMPACTION["details"]["readFiles"]
    assert [*planned.files.modified] == COMPACTION["details"]["modifiedFiles"]


@pytest.mark.parametrize(
    ("earlier", "history", "joined"),
    [
        (None, "h", "h"),
        ("e", "h", "h"),
        ("e", None, "e"),
        (None, None, "No prior history."),
    ],
)
def test_answers_are_joined(earlier: str | None, history: str | None, joined: str) -> None:
    planned = replace(plan(BEFORE, Settings(keep_recent_tokens=3000)), previous_summary=earlier, files=Files(("a", "b"), ("c",)))
    files = "\n\n<read-files>\na\nb\n</read-files>\n\n<modified-files>\nc\n</modified-files>"
    assert join_answers(planned, history, "p") == f"{joined}\n\n---\n\n**Turn Context (split turn):**\n\np{files}"
    assert join_answers(replace(planned, files=Files()), history, "p").endswith("\n\np")


def test_what_pi_would_ask_of_the_recorded_session() -> None:
    history, prefix = Pi().requests(plan(BEFORE, Settings(keep_recent_tokens=3000)))
    assert history == (
        '<conversation>\n[User]: <file name="/home/user/project/login.png"></file>\n<file name="/home/user/project/dash.jpg"></file>\n'
        "Which of the two attached pages is newer?\n\n"
        "[Assistant]: I looked at 0 image(s). The login button overlaps the error text.\n</conversation>\n\n{instructions}"
    )
    assert isinstance(prefix, str)
    assert prefix.startswith("# Conversation\n[User]: Compare the two pages and explain")
    assert prefix.endswith("[Tool result]: Read image file [image/jpeg]\n\n# Instructions\n{instructions}")


def test_an_earlier_summary_is_passed_on() -> None:
    messages = (Message(Role.COMPACTION, (Text("before"),)), user(Text("a")), assistant(), user(Text("b")))
    [request] = Pi().requests(plan(messages, Settings(keep_recent_tokens=1)))
    expected = (
        "<conversation>\n[User]: a\n\n[Assistant]: ok\n</conversation>\n\n<previous-summary>\nbefore\n</previous-summary>\n\n{instructions}"
    )
    assert request == expected


DETAILS: Json = {"readFiles": ["a.py", "b.py", 7], "modifiedFiles": ["c.py"]}


@pytest.mark.parametrize(
    ("carried", "expected"),
    [
        ({"details": DETAILS}, Files(("b.py", "\U00010000", "\ue000"), ("a.py", "c.py"))),
        ({"details": DETAILS, "fromHook": True}, Files(("\U00010000", "\ue000"), ("a.py",))),
        ({"details": {"readFiles": None}}, Files(("\U00010000", "\ue000"), ("a.py",))),
        ({"details": ["a.py"]}, Files(("\U00010000", "\ue000"), ("a.py",))),
    ],
)
def test_files_are_told_from_summary_to_summary(carried: dict[str, Json], expected: Files) -> None:
    earlier = Message(Role.COMPACTION, (Text("before"),), carried=carried)
    called = (("edit", "a.py"), ("read", "\ue000"), ("read", "\U00010000"), ("read", ""), ("bash", "d.py"))
    calls = Message(Role.ASSISTANT, tuple(ToolCall("1", name, {"path": path}) for name, path in called))
    assert plan((earlier, user(Text("a")), calls, assistant("kept")), Settings(keep_recent_tokens=1)).files == expected


def test_the_files_of_a_recorded_compaction() -> None:
    messages = (*read(SESSION).messages, user(Text("and now?")))
    planned = plan(messages, Settings(keep_recent_tokens=1))
    assert set(COMPACTION["details"]["readFiles"]) < set(planned.files.read)
    assert planned.previous_summary == COMPACTION["summary"]


def test_a_cheaper_image_moves_the_cut() -> None:
    messages = (user(Text("a" * 400)), assistant(), user(PICTURE), assistant())
    cuts = [plan(messages, Settings(keep_recent_tokens=100, image_tokens=tokens)).cut for tokens in (None, 98)]
    assert cuts == [2, 1]


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ((user(Text("a")), assistant(), user(Text("b"))), []),
        (
            (user(PICTURE), user(Text("b"))),
            [
                Note(NoteKind.NEWEST_MEDIA_SUMMARISED, "the newest media of the user, in #0, are summarised"),
                Note(NoteKind.MEDIA_WITHOUT_TRACE, "1 media leave no trace in what is summarised"),
                Note(NoteKind.EMPTY_REQUEST, "#0 to #0 hold nothing that a summary could be made from"),
            ],
        ),
        (
            (
                user(Text("a")),
                replace(assistant(), content=(ToolCall("1", "read", {}),)),
                user(),
                Message(Role.TOOL, (ToolResult("1", "read", (PICTURE,)),)),
            ),
            [Note(NoteKind.SNAPPED_FROM, "the cut moved back from #2, where it would part a result from its call")],
        ),
    ],
)
def test_notes(messages: tuple[Message, ...], expected: list[Note]) -> None:
    assert [*plan(messages, Settings(keep_recent_tokens=1)).notes] == expected


def test_nothing_is_asked_of_a_part_that_says_nothing() -> None:
    planned = plan((user(PICTURE), user(Text("b"))), Settings(keep_recent_tokens=1))
    assert Pi().requests(planned) == ()


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        ((), Reason.NO_CUT_POINT),
        ((user(Text("a")),), Reason.NOTHING_BEFORE_CUT),
        ((Message(Role.SYSTEM, (Text("be kind"),)), user(Text("a"))), Reason.NOTHING_BEFORE_CUT),
        (
            (replace(assistant(), content=(ToolCall("1", "x", {}),)), user(), Message(Role.TOOL, (ToolResult("1", "x", ()),))),
            Reason.NOTHING_BEFORE_CUT,
        ),
    ],
)
def test_nothing_to_summarise(messages: tuple[Message, ...], reason: Reason) -> None:
    outcome = Pi().plan(messages, Settings(keep_recent_tokens=1))
    assert isinstance(outcome, Nothing)
    assert outcome.reason is reason
