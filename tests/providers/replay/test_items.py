"""Items that were recorded go out as they were, unless the interface would refuse them, or they are another model's."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sessionkit.core.dialects.codex import decode_item
from sessionkit.core.model import Conversation, Model, Origin, Role
from sessionkit.core.pictures import Pictures
from sessionkit.core.stores import LocalStore
from sessionkit.providers.base import Target
from sessionkit.providers.body import write
from sessionkit.providers.openai_responses import OpenAIResponses
from sessionkit.providers.replay import Choices, replay
from tests.pictures import picture
from tests.providers.bodies import encoded
from tests.providers.strict import openai_responses

JsonObject = dict[str, Any]
RESPONSES = OpenAIResponses()
HELLO: JsonObject = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}
ANSWER: JsonObject = {"type": "message", "id": "msg_1", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]}
CALL: JsonObject = {"type": "function_call", "id": "fc_1", "name": "sh", "arguments": '{"a": 1}', "call_id": "c1"}
OUTPUT: JsonObject = {"type": "function_call_output", "call_id": "c1", "output": "x"}
FREE: JsonObject = {"type": "custom_tool_call", "id": "ctc_1", "name": "patch", "input": "*** Begin", "call_id": "c1"}
FREED: JsonObject = {"type": "custom_tool_call_output", "call_id": "c1", "output": "x"}
THOUGHT: JsonObject = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"}
SEARCH: JsonObject = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "q"}}
EMPTY = "the message is empty: it is not sent"
UNSURE = r"required following item|\.output': empty string"
"""What Codex sends all the same."""
LACKING = "reasoning without its encrypted form is not sent: nobody could look it up by its id"
WRAPPED = "the arguments of sh call c1 are no object: they are sent as one, under `input`"


def sent(*items: JsonObject, model: str = "m", made_by: str = "m") -> tuple[list[JsonObject], list[str]]:
    """The items of the body, and the notes."""
    made = Model("openai", "openai-responses", made_by)
    messages = [decode_item(item, Origin(line=at)) for at, item in enumerate(items)]
    messages = [replace(message, model=made) if message.role is Role.ASSISTANT else message for message in messages]
    target, pictures = Target("openai", "openai-responses", model), Pictures(LocalStore(Path("/nonexistent")))
    found = replay(Conversation("codex", tuple(messages)), RESPONSES, target, Choices(), pictures)
    body = json.loads(b"".join(write(RESPONSES.body(found.prompt, target), pictures.base64)))
    assert [refusal.message for refusal in openai_responses.refusals(body) if not re.search(UNSURE, refusal.message)] == []
    return body["input"], [note.text for note in found.notes]


def without(item: JsonObject, *names: str) -> JsonObject:
    return {name: value for name, value in item.items() if name not in names}


def user(*parts: object) -> JsonObject:
    return {**HELLO, "content": list(parts)}


WORDS = {"type": "input_text", "text": "hi"}
SPOKEN = {"role": "user", "content": [WORDS]}

BROKEN: dict[str, tuple[list[JsonObject], list[JsonObject], list[str]]] = {
    "no content": ([user(), HELLO], [HELLO], [EMPTY]),
    "content of null": ([{**HELLO, "content": None}, HELLO], [HELLO], [EMPTY]),
    "an empty text": ([user({**WORDS, "text": ""}), HELLO], [HELLO], [EMPTY]),
    "an empty text beside another": ([user({**WORDS, "text": " "}, WORDS)], [HELLO], []),
    "an absent text": ([user({"type": "input_text"}), HELLO], [HELLO], ["a block of the type input_text that lacks something is not sent"]),
    "a part without a type": ([user({"text": "?"}, WORDS)], [HELLO], ["a block of the type (none) that lacks something is not sent"]),
    "a part that is an item": ([user(HELLO, WORDS)], [HELLO], ["a block of the type message that lacks something is not sent"]),
    "a part that is none": ([user(5, WORDS)], [HELLO], ["a block of the type int that lacks something is not sent"]),
    "a text of the model in the user's mouth": ([user({"type": "output_text", "text": "hi"})], [HELLO], []),
    "an id that is none": ([{**HELLO, "id": 7}], [SPOKEN], []),
    "an id of another kind": ([{**HELLO, "id": "item_1"}], [SPOKEN], []),
    "an id that is too long": ([{**HELLO, "id": "msg_" + "x" * 61}], [SPOKEN], []),
    "a status that is none": ([{**HELLO, "status": {}}], [SPOKEN], []),
    "arguments that are no JSON": ([{**CALL, "arguments": '{"a'}, OUTPUT], [{**CALL, "arguments": '{"input":"{\\"a"}'}, OUTPUT], [WRAPPED]),
    "arguments that are a list": ([{**CALL, "arguments": "[1]"}, OUTPUT], [{**CALL, "arguments": '{"input":[1]}'}, OUTPUT], [WRAPPED]),
    "blank arguments": ([{**CALL, "arguments": ""}, OUTPUT], [{**CALL, "arguments": "{}"}, OUTPUT], []),
    "arguments that are no text": ([{**CALL, "arguments": {"b": 1}}, OUTPUT], [{**CALL, "arguments": '{"b":1}'}, OUTPUT], []),
    "no arguments": (
        [without(CALL, "arguments"), OUTPUT],
        [{**without(CALL, "arguments"), "arguments": "{}"}, OUTPUT],
        [],
    ),
    "no name": ([without(CALL, "name"), OUTPUT], [{**without(CALL, "name"), "name": "function"}, OUTPUT], []),
    "no call_id": ([without(CALL, "call_id"), HELLO], [HELLO], ["a block of the type function_call that lacks something is not sent"]),
    "an output without a call_id": (
        [HELLO, without(OUTPUT, "call_id")],
        [HELLO],
        ["a block of the type function_call_output that lacks something is not sent"],
    ),
    "no output": ([CALL, without(OUTPUT, "output")], [CALL, {**OUTPUT, "output": "(no tool output)"}], []),
    "an empty list": ([CALL, {**OUTPUT, "output": []}], [CALL, {**OUTPUT, "output": "(no tool output)"}], []),
    "an output with an empty text": (
        [CALL, {**OUTPUT, "output": [{**WORDS, "text": ""}]}],
        [CALL, {**OUTPUT, "output": "(no tool output)"}],
        [],
    ),
    "an output with an absent text": (
        [CALL, {**OUTPUT, "output": [{"type": "input_text"}]}],
        [CALL, {**OUTPUT, "output": [{**WORDS, "text": "[unsupported block: input_text]"}]}],
        ["a block cannot be sent in a result: `[unsupported block: input_text]` stands for it"],
    ),
    "an output with an item": (
        [CALL, {**OUTPUT, "output": [CALL]}],
        [CALL, {**OUTPUT, "output": [{**WORDS, "text": "[unsupported block: function_call]"}]}],
        ["a block cannot be sent in a result: `[unsupported block: function_call]` stands for it"],
    ),
    "an output of a type that is no word": (
        [CALL, {**OUTPUT, "output": {"type": ["x"]}}],
        [CALL, {**OUTPUT, "output": [{**WORDS, "text": "[unsupported block: ]"}]}],
        ["a block cannot be sent in a result: `[unsupported block: ]` stands for it"],
    ),
    "a text of a type that is no word": (
        [user({"type": ["x"], "text": "?"}, WORDS)],
        [HELLO],
        ["a block of the type (none) that lacks something is not sent"],
    ),
    "an output of another type": ([CALL, FREED], [CALL, {**FREED, "type": "function_call_output"}], []),
    "an item without a type": ([HELLO, {"what": "ever"}], [HELLO], ["a block of the type (none) that lacks something is not sent"]),
    "a thought that is stored elsewhere": ([without(THOUGHT, "encrypted_content"), ANSWER], [ANSWER], [LACKING]),
    "a thought without a summary": ([without(THOUGHT, "summary"), ANSWER], [ANSWER], [LACKING]),
    "a compaction that holds nothing": ([HELLO, {"type": "compaction", "encrypted_content": ""}], [HELLO], [LACKING]),
}


@pytest.mark.parametrize(("items", "expected", "notes"), BROKEN.values(), ids=list(BROKEN))
def test_broken_items_are_settled(items: list[JsonObject], expected: list[JsonObject], notes: list[str]) -> None:
    found, told = sent(*items)
    assert json.dumps(found) == json.dumps(expected)
    assert told == notes


SOUND = [
    [CALL, {**OUTPUT, "output": ""}],
    [HELLO, THOUGHT, ANSWER],
    [CALL, OUTPUT],
    [FREE, FREED],
    [{**FREE, "input": "NaN"}, FREED],
    [{"type": "local_shell_call", "call_id": "c1", "status": "completed", "action": {"type": "exec", "command": ["ls"]}}, OUTPUT],
    [HELLO, SEARCH, ANSWER],
    [without(THOUGHT, "id"), ANSWER],
    [{"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAA"}, ANSWER],
]


@pytest.mark.parametrize("items", SOUND)
def test_sound_items_stay_as_they_are(items: list[JsonObject]) -> None:
    for model in ("m", ""):
        assert sent(*items, model=model) == (items, [])


def test_what_another_model_may_not_see() -> None:
    drawing = {"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": encoded(picture("PNG"))}
    items, notes = sent(
        HELLO, THOUGHT, SEARCH, ANSWER, CALL, OUTPUT, drawing, {**FREE, "call_id": "c2"}, {**FREED, "call_id": "c2"}, model="n"
    )
    assert [item["type"] for item in items if "type" in item] == [
        "message",
        "message",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "custom_tool_call_output",
    ]
    assert [item.get("id", "")[:7] for item in items] == ["", "msg_pi_", "", "", "", "", ""]
    assert [item["content"][0]["text"] for item in items if item.get("role") == "user"] == ["hi", "Attached image(s) from assistant:"]
    assert notes[:2] == ["what another model has thought is not sent", "a block of the unknown type web_search_call is not sent"]


@pytest.mark.parametrize(("model", "is_sent"), [("m", True), ("", True), ("n", False)])
def test_whose_thought_it_is_may_be_unknown(model: str, is_sent: bool) -> None:
    """Of a compaction nobody is named: it is the session's own model, whichever that was."""
    messages = (decode_item(THOUGHT, Origin()), replace(decode_item(ANSWER, Origin()), model=Model("openai", "openai-responses", "m")))
    target = Target("openai", "openai-responses", model)
    found = replay(Conversation("codex", messages), RESPONSES, target, Choices(), Pictures(LocalStore(Path("/nonexistent"))))
    assert (len(found.prompt.messages) == 2) is is_sent
