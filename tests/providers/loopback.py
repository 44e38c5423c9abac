"""The four interfaces on 127.0.0.1: a real HTTP server that keeps what it was sent, and answers as the vendors would."""

from __future__ import annotations

import json
import re
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from tests.providers.strict import anthropic, gemini, openai_chat, openai_responses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.providers.strict.base import Loaded, Refusal

_SNAKES = {
    "mime_type": "mimeType",
    "inline_data": "inlineData",
    "display_name": "displayName",
    "parameters_json_schema": "parametersJsonSchema",
}
_BYTES = ("data", "thoughtSignature")
_STANDARD = str.maketrans("-_", "+/")
_FREE_FORM = ("args", "response", "parametersJsonSchema")
_GEMINI = re.compile(r"/v1beta/models/([^/]+):(?:generateContent|streamGenerateContent)")


@dataclass(frozen=True, slots=True)
class Interface:
    """One path of the server: how it judges a body, and the least that it answers to a good one, at once or as a stream."""

    judge: Callable[[Loaded], Refusal | None]
    answer: Loaded
    events: tuple[Loaded | str, ...]


@dataclass(frozen=True, slots=True)
class Loopback:
    """A running server; `bodies` are the raw requests, in the order in which they came, `refusals` what it said to each, if anything."""

    url: str
    bodies: list[bytes] = field(default_factory=list)
    refusals: list[Refusal | None] = field(default_factory=list)

    def last(self) -> Loaded:
        """The newest body, parsed."""
        parsed: Loaded = json.loads(self.bodies[-1])
        return parsed


_MESSAGE = {"role": "assistant", "content": "Seen."}
_ANSWERS: dict[str, Loaded] = {
    "/v1/messages": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": "Seen."}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    },
    "/v1/chat/completions": {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": _MESSAGE, "finish_reason": "stop"}],
    },
    "/v1/responses": {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "m",
        "output": [
            {
                "type": "message",
                "id": "msg_1",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": "Seen.", "annotations": []}],
            }
        ],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    },
    "gemini": {"candidates": [{"content": {"role": "model", "parts": [{"text": "Seen."}]}, "finishReason": "STOP"}]},
}
_MESSAGE_OF_RESPONSES = _ANSWERS["/v1/responses"]["output"][0]
_CHUNK = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
_EVENTS: dict[str, tuple[Loaded | str, ...]] = {
    "/v1/messages": (
        {"type": "message_start", "message": {**_ANSWERS["/v1/messages"], "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Seen."}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ),
    "/v1/chat/completions": (
        {**_CHUNK, "choices": [{"index": 0, "delta": _MESSAGE, "finish_reason": None}]},
        {**_CHUNK, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        "[DONE]",
    ),
    "/v1/responses": (
        {"type": "response.created", "sequence_number": 0, "response": {**_ANSWERS["/v1/responses"], "output": []}},
        {"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": {**_MESSAGE_OF_RESPONSES, "content": []}},
        {"type": "response.output_item.done", "sequence_number": 2, "output_index": 0, "item": _MESSAGE_OF_RESPONSES},
        {"type": "response.completed", "sequence_number": 3, "response": _ANSWERS["/v1/responses"]},
    ),
    "gemini": (_ANSWERS["gemini"],),
}
"""Of each stream the least that a client takes for an answer."""


def interface(path: str) -> Interface:
    """Find what stands at a path; KeyError for a path that no vendor has."""
    judges: dict[str, Callable[[Loaded], Refusal | None]] = {
        "/v1/messages": anthropic.judge,
        "/v1/chat/completions": openai_chat.judge,
        "/v1/responses": openai_responses.judge,
    }
    found = _GEMINI.fullmatch(path)
    if found:
        return Interface(lambda body: gemini.judge(camel(body), found[1]), _ANSWERS["gemini"], _EVENTS["gemini"])
    return Interface(judges[path], _ANSWERS[path], _EVENTS[path])


@contextmanager
def serving() -> Iterator[Loopback]:
    """Serve on a free port until the block ends."""
    bodies: list[bytes] = []
    refusals: list[Refusal | None] = []

    class Handler(BaseHTTPRequestHandler):
        """Judge what comes, and answer."""

        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["content-length"]))
            bodies.append(raw)
            found = interface(self.path.partition("?")[0])
            body = json.loads(raw)
            refusal = found.judge(body)
            refusals.append(refusal)
            if refusal is not None:
                self._answer(refusal.status, json.dumps(refusal.envelope))
            elif body.get("stream") or "streamGenerateContent" in self.path:
                self._answer(200, "".join(map(_event, found.events)), "text/event-stream")
            else:
                self._answer(200, json.dumps(found.answer))

        def _answer(self, status: int, text: str, kind: str = "application/json") -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in the base class
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield Loopback(f"http://127.0.0.1:{server.server_port}", bodies, refusals)
        finally:
            server.shutdown()
            thread.join()


def _event(data: Loaded | str) -> str:
    if isinstance(data, str):
        return f"data: {data}\n\n"
    head = f"event: {data['type']}\n" if "type" in data else ""
    return f"{head}data: {json.dumps(data)}\n\n"


def camel(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Google's client mixes snake case into the names of its interface, and writes bytes in the URL-safe alphabet: undo both.

    What is free-form stays.
    """
    match value:
        case dict():
            renamed = {_SNAKES.get(str(key), str(key)): inner for key, inner in value.items()}
            return {key: _standard(key, inner) for key, inner in renamed.items()}
        case list():
            return [camel(inner) for inner in value]
        case _:
            return value


def _standard(key: str, value: Any) -> Any:  # noqa: ANN401 - any JSON
    if key in _BYTES and isinstance(value, str) and value != gemini.SKIP:
        return value.translate(_STANDARD)
    return value if key in _FREE_FORM else camel(value)
