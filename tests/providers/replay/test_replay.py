"""Conversations as they are sent: of recorded sessions, and of what the rules make together."""

from __future__ import annotations

import base64
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.entries import read_entries
from sessionkit.core.model import (
    Conversation,
    Inline,
    Media,
    MediaKind,
    Message,
    Model,
    Origin,
    Role,
    Stored,
    Text,
    Thinking,
    Unsupported,
    Uri,
)
from sessionkit.core.pictures import Pictures
from sessionkit.core.stores import LocalStore
from sessionkit.core.streams import open_source
from sessionkit.ops.targets import Mirror
from sessionkit.providers.anthropic import Anthropic
from sessionkit.providers.base import Target
from sessionkit.providers.body import write
from sessionkit.providers.gemini import Gemini
from sessionkit.providers.openai_chat import OpenAIChat
from sessionkit.providers.openai_responses import CodexResponses, OpenAIResponses
from sessionkit.providers.replay import Bad, Choices, Missing, Orphans, replay
from tests.formats.outlines import read
from tests.formats.test_spilled import BOOKS, SHAPES
from tests.formats.twins import located
from tests.ops.runs import FIXTURES, age, migrate_one
from tests.pictures import picture
from tests.providers.prompts import assistant, call, result, tool, user
from tests.providers.replay.told import told

if TYPE_CHECKING:
    from sessionkit.providers.base import Provider
    from sessionkit.providers.replay import Replayed

NOWHERE = Path("/nonexistent")
PROVIDERS: list[Provider] = [Anthropic(), Gemini(), OpenAIChat(), OpenAIResponses()]
SESSIONS = [path for path in sorted(FIXTURES.glob("*/*/session.json*")) if path.parts[-2] != "spilled"]
PNG = Media(MediaKind.IMAGE, Inline(base64.b64encode(picture("PNG")).decode()))
LENIENT = Choices(Orphans.KEEP, Missing.PLACEHOLDER, Bad.PLACEHOLDER)
MESSAGES = Target("anthropic", "anthropic-messages", "claude-fable-5")


def replayed(conversation: Conversation, provider: Provider, target: Target | None = None, choices: Choices | None = None) -> Replayed:
    aim = target or Target(provider.vendor, provider.api)
    return replay(conversation, provider, aim, choices or Choices(), Pictures(LocalStore(NOWHERE)))


def bodies(found: Conversation, store: Path) -> list[bytes]:
    """The bytes that are sent of a conversation, for each interface; texts stand for what cannot be sent."""
    pictures = Pictures(LocalStore(store))
    sent = []
    for provider in PROVIDERS:
        target = Target(provider.vendor, provider.api)
        prompt = replay(found, provider, target, LENIENT, pictures).prompt
        sent.append(b"".join(write(provider.body(prompt, target), pictures.base64)))
    return sent


def twins(session: Path, folder: Path) -> tuple[Path, Path]:
    """A copy of a session, and the same one spilled."""
    (folder / "inline").mkdir()
    inline = age(Path(shutil.copy(session, folder / "inline")))
    spilled = migrate_one(inline, Mirror(folder / "spilled")).transfer.target
    assert spilled
    return inline, spilled


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_a_session_and_its_spilled_twin_are_sent_alike(session: Path, tmp_path: Path) -> None:
    inline, spilled = twins(session, tmp_path)
    assert bodies(read(spilled, name=str(inline)), spilled.parent / "images") == bodies(read(inline, name=str(inline)), NOWHERE)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda path: path.name)
def test_media_of_any_shape_are_sent_alike_when_spilled(shape: Path, tmp_path: Path) -> None:
    inline, spilled = twins(shape / "input.jsonl", tmp_path)
    book = BOOKS.get(shape.name, BOOKS["plain"])
    found = []
    for path in (inline, spilled):
        with open_source(path) as stream:
            found.append(book.conversation(read_entries(stream), "session.jsonl", None))
    assert bodies(found[1], spilled.parent / "images") == bodies(found[0], NOWHERE)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_sound_sessions_have_no_faults(session: Path) -> None:
    for provider in PROVIDERS:
        assert replayed(read(session, name=str(session)), provider).faults == ()


@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda provider: provider.id)
def test_results_that_gemini_cli_sends_twice_are_sent_once(provider: Provider) -> None:
    session = FIXTURES / "gemini-cli" / "session" / "session.jsonl"
    found = replayed(read(session), provider)
    assert [len(message.content) for message in found.prompt.messages if message.role is Role.TOOL] == [1] * 7
    assert ["results repeat" in note.text for note in found.notes] == [True, False]
    assert "labelled image/png, sent as image/jpeg" in found.notes[1].text


@pytest.mark.parametrize("case", ["session", "compacted", "rolled-back"])
def test_items_of_codex_are_sent_as_they_are(case: str) -> None:
    found = read(FIXTURES / "codex" / case / "session.jsonl")
    for provider in (OpenAIResponses(), CodexResponses()):
        prompt = replayed(found, provider).prompt
        assert located(replace(found, messages=prompt.messages)) == located(found)
        assert prompt.system == ""
    assert Role.SYSTEM not in {message.role for message in replayed(found, OpenAIChat()).prompt.messages}


def test_reasoning_that_is_stored_elsewhere_is_not_sent() -> None:
    found = read(FIXTURES / "codex" / "old" / "session.jsonl")
    sent = replayed(found, OpenAIResponses())
    assert len(sent.prompt.messages) == len(found.messages) - 1
    assert [note.text for note in sent.notes] == ["reasoning without its encrypted form is not sent: nobody could look it up by its id"]


def test_what_a_session_without_a_prompt_is_given() -> None:
    old = read(FIXTURES / "codex" / "old" / "session.jsonl")
    assert replayed(old, OpenAIResponses(), choices=Choices(system="Be brief.")).prompt.system == "Be brief."
    new = read(FIXTURES / "codex" / "session" / "session.jsonl")
    given = replayed(new, OpenAIResponses(), choices=Choices(system="Be brief."))
    assert (given.prompt.system, [note.text for note in given.notes]) == (
        "",
        ["the session holds a system prompt: the given one is not sent"],
    )


def test_the_rules_together() -> None:
    messages = (
        Message(Role.META, (), carried={"type": "model_change"}),
        Message(Role.SYSTEM, (Text("Be brief.\ud83d"),), carried={"sections": {"mood": "Be kind."}}),
        assistant(Thinking("why", "sig"), Text(" "), call("a:1"), PNG),
        tool(result("a:1", Text("1"))),
        Message(Role.SYSTEM, (Text("Stop."),)),
        user(),
        user(Text("2\ud83d")),
    )
    found = replayed(Conversation("pi", messages, tools=({"name": "read\ud83d"},)), Anthropic())
    assert told(found.prompt.messages) == [
        "user/note: (earlier messages omitted)",
        "assistant: read a_1 {}",
        "tool: a_1=1",
        "user/note: Attached image(s) from assistant: | <image image/png>",
        "user: 2",
    ]
    assert found.prompt.system == "Be brief.\n\nStop.\n\nBe kind."
    assert [definition.name for definition in found.prompt.tools] == ["read"]


def test_thoughts_go_back_to_their_model() -> None:
    message = replace(assistant(Thinking("why", "sig"), Text("1")), model=Model("anthropic", "anthropic-messages", "claude-fable-5"))
    found = Conversation("claude-code", (user(Text("0")), message))
    assert told(replayed(found, Anthropic(), MESSAGES).prompt.messages) == ["user: 0", "assistant: (why) | 1"]
    assert told(replayed(found, Anthropic()).prompt.messages) == ["user: 0", "assistant: 1"]


SEARCH = Unsupported("web_search_call", Origin(pointer="/payload"), {"type": "web_search_call"})


@pytest.mark.parametrize(
    ("format_", "messages"),
    [("codex", ["user: 0", "assistant: ?web_search_call"]), ("plain", ["user: 0"])],
)
def test_items_that_nobody_knows(format_: str, messages: list[str]) -> None:
    found = Conversation(format_, (user(Text("0")), assistant(SEARCH)))
    assert told(replayed(found, OpenAIResponses()).prompt.messages) == messages


UPLOADED = replace(PNG, source=Uri("f"), carried={"source": {"type": "file", "file_id": "f"}})


@pytest.mark.parametrize(
    ("provider", "format_", "sent"),
    [
        (Anthropic(), "claude-code", UPLOADED),
        (Anthropic(), "plain", UPLOADED),
        (OpenAIResponses(), "plain", Text("(image omitted: only its vendor can resolve it)")),
        (OpenAIResponses(), "codex", UPLOADED),
    ],
)
def test_references_go_to_their_vendor(provider: Provider, format_: str, sent: Media | Text) -> None:
    [message] = replayed(Conversation(format_, (user(UPLOADED),)), provider).prompt.messages
    assert message.content == (sent,)


@pytest.mark.parametrize(("sees", "faults"), [(True, 1), (False, 0)])
def test_who_sees_nothing_misses_nothing(sees: bool, faults: int) -> None:
    missing = replace(PNG, source=Stored(AssetName("0" * 64, "png")))
    target = Target("openai", "openai-completions", sees=sees)
    found = replayed(Conversation("pi", (user(Text("0"), missing), user(missing))), OpenAIChat(), target, Choices())
    assert len(found.faults) == 2 * faults


def test_an_image_that_passes_for_a_document_is_not_shown_to_the_blind() -> None:
    disguised = replace(PNG, kind=MediaKind.DOCUMENT)
    target = Target("openai", "openai-completions", sees=False)
    found = replayed(Conversation("pi", (user(disguised),)), OpenAIChat(), target)
    assert told(found.prompt.messages) == ["user: (image omitted: model does not support images)"]
