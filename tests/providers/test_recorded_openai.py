"""Bodies for OpenAI of recorded sessions, held against what the agents themselves sent; every difference that is meant has a name."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.core.pictures import Pictures
from sessionkit.core.sniff import sniff
from sessionkit.core.stores.local import LocalStore
from sessionkit.providers.base import Target
from sessionkit.providers.body import write
from sessionkit.providers.openai_chat import OpenAIChat
from sessionkit.providers.openai_responses import OpenAIResponses
from sessionkit.providers.replay import Choices, replay
from tests.formats.outlines import read
from tests.formats.wires import FIXTURES, LEFT_OUT

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.core.model import Conversation
    from sessionkit.providers.base import Provider

Items = list[dict[str, Any]]

CHAT, RESPONSES = OpenAIChat(), OpenAIResponses()
PI_CHAT = Target("mockoai", "openai-completions", "mock")
PI_RESPONSES = Target("mockresp", "openai-responses", "mock")
CODEX = Target("mock", "openai-responses", "gpt-5.2-codex")
QWEN = Target("openai", "openai-completions", "qwen3.5-plus")


def wire(name: str) -> Items:
    body = json.loads((FIXTURES / "wires" / f"{name}.json").read_text("utf-8"))
    items: Items = body["messages"] if "messages" in body else body["input"]
    return items


def body_of(conversation: Conversation, provider: Provider, target: Target) -> Items:
    pictures = Pictures(LocalStore(FIXTURES / "none"))
    replayed = replay(conversation, provider, target, Choices(), pictures)
    assert not replayed.faults
    text = b"".join(write(provider.body(replayed.prompt, target), pictures.base64))
    items: Items = json.loads(text)[provider.list_name]
    return items


def pi(case: str, leaf: str) -> Conversation:
    return read(FIXTURES / "pi" / case / "session.jsonl", leaf)


def first_lines(path: Path, lines: int, folder: Path) -> Conversation:
    """The conversation as it stood when so many lines were written."""
    session = folder / "session.jsonl"
    session.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:lines]))
    return read(session, name=str(session))


def test_chat_of_pi() -> None:
    assert body_of(pi("session", "ca76dbc8"), CHAT, PI_CHAT) == wire("pi-openai-chat")


def test_responses_of_pi() -> None:
    assert body_of(pi("session", "d02af2bb"), RESPONSES, PI_RESPONSES) == wire("pi-openai-responses")


def test_chat_of_pi_after_a_compaction() -> None:
    assert without_summary(body_of(pi("compacted", "a3d7d41f"), CHAT, PI_CHAT)) == without_summary(wire("pi-compacted-openai-chat"))


def without_summary(messages: Items) -> Items:
    """The fixtures hold no summary: a stand-in is in its place, alone in the wire, and wrapped as Pi wraps it in ours."""
    system, summary, *rest = messages
    assert LEFT_OUT in summary["content"][0]["text"]
    return [system, *rest]


def test_signatures_of_the_same_model_in_pi() -> None:
    items = body_of(pi("session", "e14ef23d"), RESPONSES, PI_RESPONSES)
    assert [item["id"] for item in items if item.get("type") == "message"] == ["msg_pi_1", "msg_pi_17", "msg_pi_19", "msg_88b9c54f7e05476c"]


@pytest.mark.parametrize(("provider", "target"), [(CHAT, PI_CHAT), (RESPONSES, PI_RESPONSES)])
def test_a_later_request_begins_with_the_earlier_one(provider: Provider, target: Target) -> None:
    earlier, later = (body_of(pi("session", leaf), provider, target) for leaf in ("ca76dbc8", "e14ef23d"))
    assert later[: len(earlier)] == earlier
    assert len(later) > len(earlier)


@pytest.mark.parametrize(("case", "lines"), [("session", 43), ("compacted", 77)])
def test_codex(case: str, lines: int, tmp_path: Path) -> None:
    conversation = first_lines(FIXTURES / "codex" / case / "session.jsonl", lines, tmp_path)
    ours = without_instructions(body_of(conversation, RESPONSES, CODEX))
    theirs = without_instructions(wire(f"codex-{case}-openai-responses"))
    assert [with_one_stand_in(item) for item in ours] == theirs
    assert [list(item) for item in ours] == [list(item) for item in theirs]


def without_instructions(items: Items) -> Items:
    """Codex makes the first item anew of its base instructions at each request, and records only their text."""
    assert (items[0]["role"], items[0]["content"]) == ("developer", LEFT_OUT)
    return items[1:]


def with_one_stand_in(item: dict[str, Any]) -> dict[str, Any]:
    """The texts of a developer's message are one stand-in in the wire, and a stand-in each in the session."""
    return {**item, "content": LEFT_OUT} if item.get("role") == "developer" else item


@pytest.mark.parametrize(("lines", "name"), [(27, "qwen-code-before-compression-openai-chat"), (37, "qwen-code-compacted-openai-chat")])
def test_qwen_code(lines: int, name: str, tmp_path: Path) -> None:
    conversation = first_lines(FIXTURES / "qwen-code" / "compacted" / "session.jsonl", lines, tmp_path)
    theirs = images_behind_results(labelled_by_their_bytes(without_greeting(wire(name))))
    assert body_of(conversation, CHAT, QWEN) == theirs


def without_greeting(messages: Items) -> Items:
    """The prompt, and a pair of messages that tells the surroundings, are made at each request and never recorded."""
    return messages[3:]


def labelled_by_their_bytes(messages: Items) -> Items:
    """qwen-code labels a JPEG named `.png` as PNG."""
    parts = [part for message in messages if isinstance(message["content"], list) for part in message["content"]]
    for image in [part["image_url"] for part in parts if part["type"] == "image_url"]:
        data = image["url"].partition(",")[2]
        image["url"] = f"data:{sniff(base64.b64decode(data)).mime};base64,{data}"
    return messages


def images_behind_results(messages: Items) -> Items:
    """qwen-code puts images into tool messages, which OpenAI's own endpoint refuses or does not see."""
    moved: Items = []
    for message in messages:
        if message["role"] == "tool":
            header = {"type": "text", "text": "Attached image(s) from tool result:"}
            moved += [{**message, "content": "(see attached image)"}, {"role": "user", "content": [header, *message["content"]]}]
        else:
            moved.append(message)
    return moved
