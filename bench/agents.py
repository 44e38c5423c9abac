"""How three agents write an entry with text and an entry with an image; Claude Code writes each image twice."""

from __future__ import annotations

import base64
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.pictures import Picture

Entry: TypeAlias = dict[str, object]

_TIME = "2026-01-01T00:00:00.000Z"


class Names(NamedTuple):
    """UUIDs of an entry and of the one that it answers."""

    own: str
    parent: str


class Agent(ABC):
    """Writes entries; `header` are those that a session begins with."""

    header: tuple[Entry, ...] = ()

    @abstractmethod
    def text(self, names: Names, text: str) -> Entry:
        """Return what the assistant says."""

    @abstractmethod
    def image(self, names: Names, text: str, shot: Picture) -> Entry:
        """Return what a tool answers: a text and a picture."""


class Pi(Agent):
    """`data` and `mimeType`."""

    header = ({"type": "session", "version": 3, "id": "bench", "timestamp": _TIME, "cwd": "/"},)

    def text(self, names: Names, text: str) -> Entry:
        return _pi(names, {"role": "assistant", "content": [{"type": "text", "text": text}]})

    def image(self, names: Names, text: str, shot: Picture) -> Entry:
        image = {"type": "image", "data": _encode(shot), "mimeType": shot.media}
        call = {"role": "toolResult", "toolCallId": f"call_{names.own[:8]}", "toolName": "read"}
        return _pi(names, {**call, "content": [{"type": "text", "text": text}, image], "isError": False})


def _pi(names: Names, message: Entry) -> Entry:
    return {"type": "message", "id": names.own[:8], "parentId": names.parent[:8], "message": message}


class ClaudeCode(Agent):
    """`source` in the message, `base64` in the copy."""

    def text(self, names: Names, text: str) -> Entry:
        return _claude(names, "assistant", {"type": "text", "text": text})

    def image(self, names: Names, text: str, shot: Picture) -> Entry:
        data = _encode(shot)
        image = {"type": "image", "source": {"type": "base64", "data": data, "media_type": shot.media}}
        content = [{"type": "text", "text": text}, image]
        result = {"tool_use_id": f"toolu_{names.own[:12]}", "type": "tool_result", "content": content}
        size = {"originalWidth": shot.width, "originalHeight": shot.height}
        copy = {"base64": data, "type": shot.media, "originalSize": len(shot.data), "dimensions": size}
        return {**_claude(names, "user", result), "toolUseResult": {"type": "image", "file": copy}}


def _claude(names: Names, role: str, block: Mapping[str, object]) -> Entry:
    message = {"role": role, "content": [block]}
    chain = {"parentUuid": names.parent, "sessionId": "bench", "isSidechain": False}
    return {**chain, "type": role, "message": message, "uuid": names.own}


class Codex(Agent):
    """`image_url`."""

    def text(self, names: Names, text: str) -> Entry:
        return _codex(names, "assistant", [{"type": "output_text", "text": text}])

    def image(self, names: Names, text: str, shot: Picture) -> Entry:
        image = {"type": "input_image", "image_url": f"data:{shot.media};base64,{_encode(shot)}"}
        return _codex(names, "user", [{"type": "input_text", "text": text}, image])


def _codex(names: Names, role: str, content: list[dict[str, str]]) -> Entry:
    payload = {"type": "message", "id": f"msg_{names.own}", "role": role, "content": content}
    return {"timestamp": _TIME, "type": "response_item", "payload": payload}


def _encode(shot: Picture) -> str:
    return base64.b64encode(shot.data).decode()
