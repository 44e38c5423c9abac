from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Inline, Media, MediaKind, Message, Role, Shell, Text, Thinking, ToolCall, ToolResult, Unsupported
from sessionkit.tokens import NEUTRAL, PROFILES, Kind, Profile, profile_of
from sessionkit.tokens.claude import Claude
from sessionkit.tokens.codex import Codex
from sessionkit.tokens.gemini import Gemini
from sessionkit.tokens.measured import Measured
from sessionkit.tokens.my_pi import MyPi
from sessionkit.tokens.neutral import Neutral
from sessionkit.tokens.pi import Pi
from sessionkit.tokens.qwen import Qwen

if TYPE_CHECKING:
    from sessionkit.core.model import Block

IMAGE = Media(MediaKind.IMAGE, Inline(""), "image/png")
PDF = Media(MediaKind.DOCUMENT, Inline(""), "application/pdf")
AUDIO = Media(MediaKind.DOCUMENT, Inline(""), "audio/wav")


def user(*blocks: Block) -> Message:
    return Message(Role.USER, blocks)


def assistant(*blocks: Block) -> Message:
    return Message(Role.ASSISTANT, blocks)


def tool(*texts: str) -> Message:
    return Message(Role.TOOL, tuple(ToolResult("", "", (Text(text),)) for text in texts))


def thoughts(signature: str) -> Message:
    return assistant(Thinking("summary", signature))


SYSTEM = Message(Role.SYSTEM, (Text("x" * 40),))

TOTALS = [
    ("results of one message are rounded one by one", Neutral(), [tool("a", "a")], 2),
    ("blocks of a message are rounded together", Neutral(), [user(Text("a"), Text("a"))], 1),
    ("a summary costs its text", Neutral(), [Message(Role.COMPACTION, (Text("x" * 40),))], 10),
    ("meta entries are free", Neutral(), [Message(Role.META, (Text("x" * 40),))], 0),
    ("blocks that nobody knows are free", Neutral(), [user(Unsupported("citation", carried={"text": "x" * 40}))], 0),
    ("shell runs cost command and output", Neutral(), [user(Shell("cat", "x" * 37))], 10),
    ("media of assistants are free in Pi", Pi(), [assistant(PDF)], 0),
    ("no messages are one token of my-pi", MyPi(), [], 1),
    ("reasoning is free in my-pi", MyPi(), [assistant(Thinking("x" * 400))], MyPi().total([assistant()])),
    ("qwen leaves the system prompt out", Qwen(), [SYSTEM], 0),
    ("gemini leaves the system prompt out", Gemini(), [SYSTEM], 0),
    ("codex counts calls by themselves", Codex(), [assistant(Text("a"), ToolCall("", "", {}), ToolCall("", "", {}))], 1 + 3 + 3),
    ("codex has reasoning for nothing", Codex(), [thoughts("")], 0),
    ("small encrypted reasoning too", Codex(), [thoughts("S" * 800)], 0),
    ("large encrypted reasoning costs what is in it", Codex(), [thoughts("S" * 2000)], 850 // 4 + 1),
    ("claude rounds blocks half up", Claude(), [user(Text("a"), Text("ab"), Text("abcdef"))], 0 + 1 + 2),
    ("claude rounds blocks of results too", Claude(), [tool("ab", "a")], 1),
    ("scripts have their weights in measured", Measured(), [user(Text("中文字符"))], 3),
    ("audio costs what an image does in gemini", Gemini(), [user(AUDIO)], 3000),
]


@pytest.mark.parametrize(("profile", "messages", "total"), [case[1:] for case in TOTALS], ids=[case[0] for case in TOTALS])
def test_totals(profile: Profile, messages: list[Message], total: int) -> None:
    assert profile.total(messages) == total


MEDIA = [
    # profile, tokens of an image, of a PDF, of a PDF when images are set to 77
    (Neutral(), 1200, 1200, 77),
    (Pi(), 1200, 1200, 77),
    (Qwen(), 1600, 1600, 77),
    (Codex(), 1844, 1844, 77),
    (Claude(), 2000, 2000, 77),
    (Gemini(), 3000, 25_800, 25_800),
    (Measured(), 1200, 1200, 77),
]


@pytest.mark.parametrize(("profile", "image", "pdf", "pdf_set"), MEDIA)
def test_constants_of_media(profile: Profile, image: int, pdf: int, pdf_set: int) -> None:
    assert (profile.total([user(IMAGE)]), profile.total([user(PDF)]), profile.constant_tokens) == (image, pdf, image)
    told = replace(profile, image_tokens=77)
    assert (told.total([user(IMAGE)]), told.total([user(PDF)]), told.constant_tokens) == (77, pdf_set, 77)


def test_a_price_goes_before_the_constant() -> None:
    priced = replace(NEUTRAL, image_tokens=77, pricing=lambda media: 5 if media is IMAGE else None)
    assert priced.total([user(IMAGE), user(PDF)]) == 5 + 77


def test_costs_are_of_kinds() -> None:
    conversation = [SYSTEM, user(Text("abcd"), IMAGE, PDF), assistant(Thinking("abcd"), ToolCall("", "ab", {})), tool("abcd")]
    costs = {cost.kind: cost.tokens for message in NEUTRAL.costs(conversation) for cost in message if cost.tokens}
    assert costs == {
        Kind.SYSTEM: 10,
        Kind.TEXT: 1,
        Kind.IMAGES: 1200,
        Kind.DOCUMENTS: 1200,
        Kind.THINKING: 1,
        Kind.TOOL_CALLS: 1,
        Kind.TOOL_RESULTS: 1,
    }


PROFILES_OF_FORMATS = [
    ("pi", "pi"),
    ("native", "my-pi"),
    ("qwen-code", "qwen"),
    ("codex", "codex"),
    ("claude-code", "claude"),
    ("gemini-cli", "gemini"),
    ("ink", "neutral"),
    ("plain", "neutral"),
]


@pytest.mark.parametrize(("session_format", "name"), PROFILES_OF_FORMATS)
def test_agents_have_their_profiles(session_format: str, name: str) -> None:
    assert profile_of(session_format).name == name


def test_names_are_unique() -> None:
    assert len({profile.name for profile in PROFILES}) == len(PROFILES)
