"""Prompts to write bodies of, and the bodies as they are sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sessionkit.core.model import Inline, Media, MediaKind, Message, Role, Text, ToolCall, ToolResult
from sessionkit.providers.base import PLAIN, Prompt, Style, Target, Tool
from sessionkit.providers.body import walk, write

if TYPE_CHECKING:
    from sessionkit.core.model import Block
    from sessionkit.providers.base import Provider

READ = Tool("read", "Reads a file.", {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]})


def png(data: str = "QUJD", media_type: str = "image/png") -> Media:
    return Media(MediaKind.IMAGE, Inline(data), media_type)


PDF = Media(MediaKind.DOCUMENT, Inline("JVBERg=="), "application/pdf")


def user(*blocks: Block, plain: bool = False) -> Message:
    return Message(Role.USER, blocks, plain=plain)


def assistant(*blocks: Block) -> Message:
    return Message(Role.ASSISTANT, blocks)


def tool(*results: ToolResult) -> Message:
    return Message(Role.TOOL, results)


def call(id_: str = "t1", name: str = "read", /, **arguments: str) -> ToolCall:
    return ToolCall(id_, name, {**arguments})


def result(id_: str, *content: Text | Media, is_error: bool = False) -> ToolResult:
    return ToolResult(id_, "read", content, is_error)


EXAMPLE = Prompt(
    (
        user(Text("old:"), png(), Text("what changed?")),
        assistant(Text("Reading."), call("t1", path="a.png"), call("t2", path="b.png")),
        tool(
            result("t1", Text("Read image file [image/png]"), png()),
            result("t2", Text("no such file"), is_error=True),
        ),
    ),
    "Be brief.",
    (READ,),
)
"""Text around an image, two calls at once, one of which fails."""


def sent(provider: Provider, prompt: Prompt, target: Target, style: Style = PLAIN) -> str:
    """The body as text."""
    return b"".join(write(provider.body(prompt, target, style), encode)).decode()


def sent_messages(provider: Provider, target: Target, *messages: Message) -> list[dict[str, Any]]:
    """The conversation in the body, parsed."""
    conversation: list[dict[str, Any]] = json.loads(sent(provider, Prompt(messages), target))[provider.list_name]
    return conversation


def encode(media: Media) -> bytes:
    assert isinstance(media.source, Inline)
    return media.source.data.encode()


def placed(provider: Provider, target: Target, *messages: Message) -> dict[str, str]:
    """The pointers of the places that parts of the conversation come from, by their ways, where they are not those of the part around."""
    parts = list(walk(provider.body(Prompt(messages), target)[provider.list_name]))
    pointers = {part.steps: part.origin.pointer for part in parts}
    return {".".join(map(str, steps)): pointer for steps, pointer in pointers.items() if steps and pointer != pointers[steps[:-1]]}
