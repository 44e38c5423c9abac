"""The next request: where things stand in it, as its client counts, and how many bytes it has. Nothing is decoded or encoded."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sessionkit.core.base64 import encode
from sessionkit.core.model import NOWHERE, Inline, Media, MediaKind, Role, Text, ToolResult, Unsupported, media_of
from sessionkit.core.pictures import Pictures
from sessionkit.core.slices import Slice
from sessionkit.core.stores.local import LocalStore
from sessionkit.dataclass import replace
from sessionkit.faults.manners import as_sent
from sessionkit.providers import provider_of
from sessionkit.providers.base import Target
from sessionkit.providers.body import walk, write
from sessionkit.providers.checks import block_of
from sessionkit.providers.layouts import Pi, from_client, layout_of, to_client, turns_of
from sessionkit.providers.replay import Choices, Missing, replay
from sessionkit.providers.replay.contents import with_contents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Block, Conversation, Message, Origin
    from sessionkit.providers.base import Provider
    from sessionkit.providers.body import Steps, Tree
    from sessionkit.providers.layouts import Layout, Shift
    from sessionkit.providers.replay.contents import Holder

_PROVIDERS: Final = {"codex": "openai-responses", "qwen-code": "openai-chat", "gemini-cli": "gemini"}
_INTERFACES: Final = {"openai-completions": "openai-chat", "openai-responses": "openai-responses", "google-generative-ai": "gemini"}
_LAYOUTS: Final = frozenset({"claude-code", "codex", "pi"})

_PNG: Final = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0\x3a\x7e\x9b\x55"
    b"\0\0\0\nIDATx\x9cc`\0\0\0\2\0\1H\xaf\xa4q\0\0\0\0IEND\xaeB`\x82"
)
_STAND_INS: Final = {
    MediaKind.IMAGE: Inline(encode(_PNG).decode()),
    MediaKind.DOCUMENT: Inline(encode(b"%PDF-1.4\n%%EOF\n").decode()),
}
"""Sound media, so that nothing in the request gives way to a text: the client sends what it has."""
_UNKNOWN: Final = "."
"""Stands for a block that the client sends and our rules do not: so those behind it keep their place."""


class Wire:
    """The next request of a conversation, as its own agent would send it: with what is wrong in it.

    `provider` is the interface that it goes to: the one that the newest answer came from, or another one that is named. `layout` is
    the client whose numbers are told: the agent's, or another one.
    """

    def __init__(self, conversation: Conversation, provider: Provider | None = None, layout: Layout | None = None) -> None:
        self._conversation = conversation
        self.provider = provider or _provider(conversation)
        self.client = layout.id if layout else conversation.format
        self._layout = layout or (layout_of(conversation.format) if conversation.format in _LAYOUTS else Pi())

    @cached_property
    def size(self) -> int:
        """Bytes of the request, without what only the client knows (system prompt, tools that the session does not hold)."""
        lengths = {media.origin: _length(media) for media in media_of(self._conversation.messages)}
        plain = sum(map(len, write(self._body, lambda _: b"")))
        return plain + sum(lengths.values())

    def way(self, line: int, pointer: str) -> str:
        """Tell where a block, message or member of the session stands, as the client counts: `messages.3.content.1`; empty if nowhere."""
        steps = next((self._ways[place] for place in _places(line, pointer) if place in self._ways), None)
        return "" if steps is None else ".".join(map(str, to_client(block_of(steps), self._shifts)))

    def origin_at(self, steps: Steps) -> Origin | None:
        """Find what of the session stands at a way in the client's request, or what it stands in; None if only the client knows."""
        ours = from_client(steps, self._shifts)
        while ours:
            if ours in self._origins:
                return self._origins[ours]
            ours = ours[:-1]
        return None

    @cached_property
    def _body(self) -> dict[str, Tree]:
        target = Target(self.provider.vendor, self.provider.api)
        conversation = replace(self._conversation, messages=_as_sent(self._conversation.messages))
        choices, pictures = Choices(missing=Missing.PLACEHOLDER), Pictures(LocalStore(Path()))
        body = self.provider.body(replay(conversation, self.provider, target, choices, pictures).prompt, target)
        messages = body[self.provider.list_name]
        return {**body, self.provider.list_name: as_sent(messages, self.client)} if isinstance(messages, list) else body

    @cached_property
    def _shifts(self) -> tuple[Shift, ...]:
        messages = self._body[self.provider.list_name]
        summaries = {message.origin for message in self._conversation.messages if message.role is Role.COMPACTION}
        return tuple(self._layout.shifts(turns_of(messages, summaries))) if isinstance(messages, list) else ()

    @cached_property
    def _origins(self) -> dict[Steps, Origin]:
        parts = walk(self._body)
        return {part.steps: part.origin for part in parts if part.origin != NOWHERE and part.steps[:1] == (self.provider.list_name,)}

    @cached_property
    def _ways(self) -> dict[tuple[int, str], Steps]:
        """The outermost part that comes from a place."""
        ways: dict[tuple[int, str], Steps] = {}
        for steps, origin in self._origins.items():
            ways.setdefault((origin.line, origin.pointer), steps)
        return ways


def _provider(conversation: Conversation) -> Provider:
    if conversation.format != "pi":
        return provider_of(_PROVIDERS.get(conversation.format, "anthropic"))
    api = next((message.model.api for message in reversed(conversation.messages) if message.model and message.model.api), "")
    return provider_of(_INTERFACES.get(api, "anthropic"))


def _as_sent(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    return with_contents(messages, _sent)


def _sent(holder: Holder) -> Iterator[Block]:
    in_result = isinstance(holder, ToolResult)
    is_answer = not isinstance(holder, ToolResult) and holder.role is Role.ASSISTANT
    for block in holder.content:
        match block:
            case Media() if is_answer and "type" not in block.carried:
                yield Text(_UNKNOWN, block.origin)
            case Media(source=Inline() | Slice()) | Media(kind=MediaKind.IMAGE):
                yield replace(block, source=_STAND_INS[block.kind])
            case Unsupported(type="image" | "document"):
                yield Media(MediaKind.IMAGE, _STAND_INS[MediaKind.IMAGE], origin=block.origin)
            case Text(text) if in_result and not text.strip():
                yield Text(_UNKNOWN, block.origin)
            case _:
                yield block


def _length(media: Media) -> int:
    match media.source:
        case Inline(data):
            return len(data)
        case Slice(size=size):
            return size
        case _:
            return 0


def _places(line: int, pointer: str) -> Iterator[tuple[int, str]]:
    """Give the place, those that dialects call it, and those around it, up to its message."""
    yield from ((line, f"{pointer}{end}") for end in ("", "/inlineData", "/inline_data"))
    while "/" in pointer:
        pointer = pointer.rpartition("/")[0]
        yield line, pointer
