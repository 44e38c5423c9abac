"""Prompts as Gemini takes them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.core.model import Media, MediaKind, Message, Origin, Text, Thinking, ToolCall, ToolResult, Uri
from sessionkit.providers.base import Prompt, Signatures, Style, Target, Tool
from sessionkit.providers.gemini import Gemini
from tests.providers.prompts import EXAMPLE, PDF, READ, assistant, call, placed, png, result, sent, sent_messages, tool, user

if TYPE_CHECKING:
    from sessionkit.core.model import Block, Json

GEMINI = Gemini()
MODERN, OLD, NAMELESS = (Target("google", "google-generative-ai", model) for model in ("gemini-3.1-pro", "gemini-2.5-flash", "mock"))
IMAGE = {"inlineData": {"mimeType": "image/png", "data": "QUJD"}}
GIF = {"inlineData": {"mimeType": "image/gif", "data": "R0lG"}}
DOCUMENT = {"inlineData": {"mimeType": "application/pdf", "data": "JVBERg=="}}
FILE = {"fileData": {"fileUri": "https://h/files/1"}}
BESIDE = {"text": "Tool result image:"}
SKIP = "skip_thought_signature_validator"
gif = png("R0lG", "image/gif")
file = Media(MediaKind.IMAGE, Uri("https://h/files/1"))


def test_the_order_of_members() -> None:
    image = '{"inlineData":{"mimeType":"image/png","data":"QUJD"}}'
    assert sent(GEMINI, EXAMPLE, MODERN) == (
        f'{{"contents":[{{"role":"user","parts":[{{"text":"old:"}},{image},{{"text":"what changed?"}}]}},'
        '{"role":"model","parts":[{"text":"Reading."},'
        '{"functionCall":{"name":"read","args":{"path":"a.png"},"id":"t1"},"thoughtSignature":"skip_thought_signature_validator"},'
        '{"functionCall":{"name":"read","args":{"path":"b.png"},"id":"t2"}}]},'
        '{"role":"user","parts":['
        f'{{"functionResponse":{{"name":"read","response":{{"output":"Read image file [image/png]"}},"parts":[{image}],"id":"t1"}}}},'
        '{"functionResponse":{"name":"read","response":{"error":"no such file"},"id":"t2"}}]}],'
        '"systemInstruction":{"role":"user","parts":[{"text":"Be brief."}]},'
        '"tools":[{"functionDeclarations":[{"name":"read","description":"Reads a file.","parametersJsonSchema":'
        '{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}]}]}'
    )


def test_nothing_but_contents() -> None:
    body = json.loads(sent(GEMINI, Prompt((user(Text("hi"), plain=True),)), Target("google", "google-generative-ai")))
    assert body == {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}


def test_tools() -> None:
    [entry] = json.loads(sent(GEMINI, Prompt((), tools=(Tool("n", None, {"$schema": "s"}), READ)), MODERN))["tools"]
    assert entry["functionDeclarations"][0] == {"name": "n", "parametersJsonSchema": {"$schema": "s"}}
    assert entry["functionDeclarations"][1]["name"] == "read"


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        (user(png(), Text("a"), gif), [IMAGE, {"text": "a"}, GIF]),
        (user(PDF, file), [DOCUMENT, FILE]),
        (user(replace(file, media_type="image/png")), [{"fileData": {"mimeType": "image/png", "fileUri": "https://h/files/1"}}]),
        (assistant(Thinking("hm"), Text("a")), [{"text": "hm", "thought": True}, {"text": "a"}]),
        (assistant(Thinking("hm", "c2ln")), [{"text": "hm", "thought": True, "thoughtSignature": "c2ln"}]),
        (assistant(Text("", carried={"thoughtSignature": "c2ln"})), [{"text": "", "thoughtSignature": "c2ln"}]),
        (assistant(Text("a", carried={"thought_signature": "c2lnbg=="})), [{"text": "a", "thoughtSignature": "c2lnbg=="}]),
        (assistant(Text("a", carried={"textSignature": "c2ln"})), [{"text": "a", "thoughtSignature": "c2ln"}]),
        (assistant(Text("a", carried={"textSignature": '{"v":1,"id":"msg_1"}'})), [{"text": "a"}]),
        (assistant(Text("a", carried={"thoughtSignature": "abc"})), [{"text": "a"}]),
        (assistant(Text("a", carried={"thoughtSignature": None, "annotations": []})), [{"text": "a"}]),
    ],
)
def test_parts(message: Message, parts: Json) -> None:
    [content] = sent_messages(GEMINI, MODERN, message)
    assert content["parts"] == parts


def signatures(model: str, choice: Signatures, *blocks: Block) -> list[Any]:
    """Of the parts of a turn, None for those that have none."""
    target = Target("google", "google-generative-ai", model)
    body = json.loads(sent(GEMINI, Prompt((assistant(*blocks),)), target, Style(signatures=choice)))
    return [part.get("thoughtSignature") for part in body["contents"][0]["parts"]]


SIGNED = ToolCall("t1", "read", {}, carried={"thoughtSignature": "c2ln"})
BROKEN = ToolCall("t1", "read", {}, carried={"thoughtSignature": "not base64"})


@pytest.mark.parametrize(
    ("model", "choice", "blocks", "expected"),
    [
        ("gemini-3-pro", Signatures.AUTO, (Text("a"), call(), call()), [None, SKIP, None]),
        ("gemini-live-4", Signatures.AUTO, (call(),), [SKIP]),
        ("gemini-3-pro", Signatures.AUTO, (BROKEN, SIGNED), [SKIP, "c2ln"]),
        ("gemini-3-pro", Signatures.AUTO, (SIGNED, call()), ["c2ln", None]),
        ("gemini-3-pro", Signatures.NEVER, (SIGNED, call()), ["c2ln", None]),
        ("gemini-3-pro", Signatures.NEVER, (call(),), [None]),
        ("gemini-2.5-pro", Signatures.AUTO, (call(),), [None]),
        ("gemini-2.5-pro", Signatures.ALWAYS, (call(), call()), [SKIP, None]),
        ("mock", Signatures.AUTO, (call(),), [None]),
        ("mock", Signatures.ALWAYS, (call(),), [SKIP]),
        ("my-gemini-3", Signatures.AUTO, (call(),), [None]),
    ],
)
def test_signatures(model: str, choice: Signatures, blocks: tuple[Block, ...], expected: list[str | None]) -> None:
    assert signatures(model, choice, *blocks) == expected


@pytest.mark.parametrize(
    ("model", "has_ids"),
    [
        ("gemini-3-pro", True),
        ("gemini-10-pro", True),
        ("claude-opus", True),
        ("gpt-oss-120b", True),
        ("gemini-2.5-pro", False),
        ("mock", False),
        ("", False),
    ],
)
def test_ids(model: str, has_ids: bool) -> None:
    target = Target("google", "google-generative-ai", model)
    asked, answered = sent_messages(GEMINI, target, assistant(call("t1")), tool(result("t1", Text("a"))))
    assert ("id" in asked["parts"][0]["functionCall"], "id" in answered["parts"][0]["functionResponse"]) == (has_ids, has_ids)


@pytest.mark.parametrize(
    ("target", "held", "said", "media"),
    [
        (MODERN, (), "", ([], [])),
        (MODERN, (png(), Text("a"), Text("b")), "a\nb", ([IMAGE], [])),
        (MODERN, (png(), gif, PDF), "(see attached image)", ([IMAGE, DOCUMENT], [GIF])),
        (MODERN, (file,), "(see attached image)", ([], [FILE])),
        (OLD, (Text("a"), png(), PDF), "a", ([], [IMAGE, DOCUMENT])),
        (NAMELESS, (Text("a"), png(), gif), "a", ([IMAGE, GIF], [])),
        (NAMELESS, (file,), "(see attached image)", ([], [FILE])),
    ],
)
def test_media_of_results(target: Target, held: tuple[Text | Media, ...], said: str, media: tuple[list[Json], list[Json]]) -> None:
    nested, beside = media
    [content] = sent_messages(GEMINI, target, tool(result("t1", *held), result("t2", Text("no"), is_error=True)))
    first, second, *rest = content["parts"]
    assert (content["role"], first["functionResponse"]["response"]) == ("user", {"output": said})
    assert first["functionResponse"].get("parts", []) == nested
    assert second["functionResponse"]["response"] == {"error": "no"}
    assert rest == ([BESIDE, *beside] if beside else [])


def test_what_stands_beside_several_results_comes_once_and_in_order() -> None:
    [content] = sent_messages(GEMINI, OLD, tool(result("t1", png()), result("t2", Text("a"), gif)))
    assert [next(iter(part)) for part in content["parts"]] == ["functionResponse", "functionResponse", "text", "inlineData", "inlineData"]
    assert content["parts"][3:] == [IMAGE, GIF]


def test_messages_stay_apart() -> None:
    contents = sent_messages(GEMINI, MODERN, user(Text("a")), user(Text("b")), assistant(Text("c")), assistant(Text("d")))
    assert [content["role"] for content in contents] == ["user", "user", "model", "model"]


def test_every_part_knows_where_it_comes_from() -> None:
    image, picture = (replace(media, origin=Origin(pointer=f"/{name}")) for name, media in (("image", png()), ("gif", gif)))
    given = tool(ToolResult("t1", "read", (image, picture), origin=Origin(pointer="/result")))
    messages = [assistant(ToolCall("t1", "read", {"a": 1}, origin=Origin(pointer="/call"))), given]
    spoken, answered = (replace(message, origin=Origin(pointer=f"/{at}")) for at, message in enumerate(messages))
    assert placed(GEMINI, MODERN, spoken, answered) == {
        "0": "/0",
        "0.parts.0": "/call",
        "1": "/1",
        "1.parts.0": "/result",
        "1.parts.0.functionResponse.parts.0": "/image",
        "1.parts.1": "/gif",
        "1.parts.2": "/gif",
    }
