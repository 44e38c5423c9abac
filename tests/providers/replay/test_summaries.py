"""Summaries and notes become messages of the user."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sessionkit.core.model import Message, Origin, Role, Text, UserKind
from sessionkit.providers.replay import summary_text
from sessionkit.providers.replay.summaries import speak_summaries
from tests.providers.prompts import png, user
from tests.providers.replay.told import told

AT = Origin("s.jsonl", 5, "a", "/summary")
SUMMARY = Message(Role.COMPACTION, (Text("Two pages.", AT),), plain=True, kept=2, tokens_before=7)
BRANCH = Message(Role.USER, (Text("It failed.", AT),), kind=UserKind.BRANCH_SUMMARY, plain=True)
NOTE = Message(Role.USER, (Text("Stay in src/."),), kind=UserKind.NOTE, plain=True)

PI = "The conversation history before this point was compacted into the following summary:\n\n<summary>\nTwo pages.\n</summary>"
MY_PI = "[Context summary — earlier conversation compacted]\n\nTwo pages."
OF_BRANCH = "The following is a summary of a branch that this conversation came back from:\n\n<summary>\nIt failed.</summary>"


@pytest.mark.parametrize(
    ("format_", "text", "plain"),
    [("pi", PI, False), ("native", MY_PI, False), ("ink", "Two pages.", True), ("claude-code", "Two pages.", True)],
)
def test_compaction(format_: str, text: str, plain: bool) -> None:
    expected = Message(Role.USER, (Text(text, AT),), kind=UserKind.NOTE, plain=plain)
    assert speak_summaries((SUMMARY,), format_).messages == (expected,)
    assert summary_text("Two pages.", format_) == text


@pytest.mark.parametrize("format_", ["pi", "native"])
def test_summary_of_a_branch(format_: str) -> None:
    expected = replace(BRANCH, content=(Text(OF_BRANCH, AT),), kind=UserKind.NOTE, plain=False)
    assert speak_summaries((BRANCH,), format_).messages == (expected,)


def test_pictures_of_a_summary_stand_behind_it() -> None:
    summary = replace(SUMMARY, content=(Text("Two"), png(), Text("pages.")))
    assert told(speak_summaries((summary,), "native").messages) == [
        "user/note: " + MY_PI.replace(" pages", "\npages") + " | <image image/png>"
    ]


@pytest.mark.parametrize(("format_", "plain"), [("pi", False), ("claude-code", True)])
def test_note_is_a_list_in_pi(format_: str, plain: bool) -> None:
    assert speak_summaries((NOTE,), format_).messages == (replace(NOTE, plain=plain),)


def test_what_the_model_never_sees_goes() -> None:
    assert told(speak_summaries((user(Text("1")), Message(Role.META, ()), user(Text("2"))), "pi").messages) == ["user: 1", "user: 2"]
