"""A good body of each interface, and how something wrong is planted in it.

A turn of the user with text, image and text; a turn with text and two calls; a result with text and image, and a failed one.
"""

from __future__ import annotations

import base64
import copy
from typing import TYPE_CHECKING, TypeAlias

from tests.pictures import picture

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.providers.strict.base import Loaded

Planted: TypeAlias = "Mapping[str, object]"
"""Values by the place where each is put: `messages.0.content.1`; a place just behind the end of a list makes it longer."""

GONE = object()
"""Takes away what is at a place."""


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def data_url(data: bytes, mime: str = "image/png") -> str:
    return f"data:{mime};base64,{encoded(data)}"


PNG = picture("PNG")
TOOL = {"name": "read", "description": "Reads a file."}
SCHEMA: Loaded = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}


def anthropic_image(data: bytes = PNG, mime: str = "image/png") -> Loaded:
    return {"type": "image", "source": {"type": "base64", "media_type": mime, "data": encoded(data)}}


def chat_image(data: bytes = PNG, mime: str = "image/png") -> Loaded:
    return {"type": "image_url", "image_url": {"url": data_url(data, mime)}}


def responses_image(data: bytes = PNG, mime: str = "image/png") -> Loaded:
    return {"type": "input_image", "detail": "auto", "image_url": data_url(data, mime)}


def gemini_image(data: bytes = PNG, mime: str = "image/png") -> Loaded:
    return {"inlineData": {"mimeType": mime, "data": encoded(data)}}


ANTHROPIC: Loaded = {
    "model": "claude-fable-5",
    "max_tokens": 4096,
    "system": [{"type": "text", "text": "Be brief."}],
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "old:"}, anthropic_image(), {"type": "text", "text": "what changed?"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Reading."},
                {"type": "tool_use", "id": "t1", "name": "read", "input": {"path": "a.png"}},
                {"type": "tool_use", "id": "t2", "name": "read", "input": {"path": "b.png"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "t1",
                    "content": [{"type": "text", "text": "Read."}, anthropic_image()],
                    "is_error": False,
                },
                {"type": "tool_result", "tool_use_id": "t2", "content": "no such file", "is_error": True},
            ],
        },
    ],
    "tools": [{**TOOL, "input_schema": SCHEMA}],
}
CHAT: Loaded = {
    "model": "gpt-5.4",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "old:"}, chat_image(), {"type": "text", "text": "what changed?"}]},
        {
            "role": "assistant",
            "content": "Reading.",
            "tool_calls": [
                {"id": "t1", "type": "function", "function": {"name": "read", "arguments": '{"path":"a.png"}'}},
                {"id": "t2", "type": "function", "function": {"name": "read", "arguments": '{"path":"b.png"}'}},
            ],
        },
        {"role": "tool", "content": "Read.", "tool_call_id": "t1"},
        {"role": "tool", "content": "no such file", "tool_call_id": "t2"},
        {"role": "user", "content": [{"type": "text", "text": "Attached image(s) from tool result:"}, chat_image()]},
    ],
    "tools": [{"type": "function", "function": {**TOOL, "parameters": SCHEMA}}],
}
RESPONSES: Loaded = {
    "model": "gpt-5.4",
    "input": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "input_text", "text": "old:"}, responses_image(), {"type": "input_text", "text": "new?"}]},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "Reading.", "annotations": []}],
            "status": "completed",
            "id": "msg_pi_1",
        },
        {"type": "function_call", "call_id": "t1", "name": "read", "arguments": '{"path":"a.png"}'},
        {"type": "function_call", "call_id": "t2", "name": "read", "arguments": '{"path":"b.png"}'},
        {"type": "function_call_output", "call_id": "t1", "output": [{"type": "input_text", "text": "Read."}, responses_image()]},
        {"type": "function_call_output", "call_id": "t2", "output": "no such file"},
    ],
    "store": False,
    "tools": [{"type": "function", **TOOL, "parameters": SCHEMA, "strict": False}],
}
GEMINI: Loaded = {
    "contents": [
        {"role": "user", "parts": [{"text": "old:"}, gemini_image(), {"text": "what changed?"}]},
        {
            "role": "model",
            "parts": [
                {"text": "Reading."},
                {
                    "functionCall": {"name": "read", "args": {"path": "a.png"}, "id": "t1"},
                    "thoughtSignature": "skip_thought_signature_validator",
                },
                {"functionCall": {"name": "read", "args": {"path": "b.png"}, "id": "t2"}},
            ],
        },
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"name": "read", "response": {"output": "Read."}, "parts": [gemini_image()], "id": "t1"}},
                {"functionResponse": {"name": "read", "response": {"error": "no such file"}, "id": "t2"}},
            ],
        },
    ],
    "systemInstruction": {"role": "user", "parts": [{"text": "Be brief."}]},
    "tools": [{"functionDeclarations": [{**TOOL, "parametersJsonSchema": SCHEMA}]}],
}
_BODIES = {"anthropic": ANTHROPIC, "openai-chat": CHAT, "openai-responses": RESPONSES, "gemini": GEMINI}


def good(interface: str) -> Loaded:
    """A body of one's own, to be changed."""
    return copy.deepcopy(_BODIES[interface])


def planted(body: Loaded, change: Planted) -> Loaded:
    """Put values into a body; it is given back."""
    for place, value in change.items():
        *steps, last = [int(step) if step.isdigit() else step for step in place.split(".")]
        holder = body
        for step in steps:
            holder = holder[step]  # type: ignore[index]  # a list has a number, an object a name
        _put(holder, last, value)
    return body


def _put(holder: Loaded | list[object], step: str | int, value: object) -> None:
    match holder, step:
        case list(), int(place) if value is GONE:
            del holder[place]
        case list(), int(place):
            holder[place : place + 1] = [value]
        case dict(), str(name) if value is GONE:
            del holder[name]
        case dict(), str(name):
            holder[name] = value
