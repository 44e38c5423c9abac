"""Chat Completions of OpenAI."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from sessionkit.core.model import Media, MediaKind, Role, Text, ToolCall, Uri
from sessionkit.providers.base import PLAIN, IdRule, Labels, Prompt, Provider, Style, Target, Thoughts, Tool
from sessionkit.providers.body import Placed
from sessionkit.providers.openai import address, arguments_text, file_id, file_name, system_role
from sessionkit.providers.results import media_of, results_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.core.model import Block, Message, ToolResult
    from sessionkit.providers.body import Tree

_FROM_TOOLS = "Attached image(s) from tool result:"


class OpenAIChat(Provider):
    """Media stand in user turns alone: those of tool results move into one behind the run of results. Reasoning has no place."""

    id: ClassVar[str] = "openai-chat"
    vendor: ClassVar[str] = "openai"
    api: ClassVar[str] = "openai-completions"
    list_name: ClassVar[str] = "messages"
    order: ClassVar[tuple[str, ...]] = ("tools", "messages")
    ids: ClassVar[IdRule] = IdRule(40)
    thoughts: ClassVar[Thoughts] = Thoughts.NONE
    takes_animation: ClassVar[bool] = False

    def body(self, prompt: Prompt, target: Target, style: Style = PLAIN) -> dict[str, Tree]:
        system = [{"role": system_role(target), "content": prompt.system}] if prompt.system else []
        return {
            "model": target.model or "MODEL",
            "messages": [*system, *_messages(prompt.messages, style)],
            **({"tools": [_tool(tool) for tool in prompt.tools]} if prompt.tools else {}),
        }


def _tool(tool: Tool) -> Tree:
    described = {} if tool.description is None else {"description": tool.description}
    strict = {"strict": True} if tool.strict else {}
    return {"type": "function", "function": {"name": tool.name, **described, "parameters": tool.schema, **strict}}


def _messages(messages: Sequence[Message], style: Style) -> Iterator[Tree]:
    for is_tool, run in groupby(messages, key=lambda message: message.role is Role.TOOL):
        if is_tool:
            yield from _results([result for message in run for result in results_of(message)], style)
            continue
        for message in run:
            yield from _answer(message) if message.role is Role.ASSISTANT else (_prompt(message, style),)


def _prompt(message: Message, style: Style) -> Tree:
    match message.content:
        case [Text(text, origin)] if message.plain:
            content: Tree = Placed(text, origin)
        case blocks:
            content = [_part(block, style) for block in blocks]
    return Placed({"role": "user", "content": content}, message.origin)


def _answer(message: Message) -> Iterator[Tree]:
    """Nothing is left of a turn that only thought."""
    texts = [block for block in message.content if isinstance(block, Text)]
    calls = [_call(block) for block in message.content if isinstance(block, ToolCall)]
    content = Placed("".join(block.text for block in texts), texts[0].origin) if texts else None
    if texts or calls:
        yield Placed({"role": "assistant", "content": content, **({"tool_calls": calls} if calls else {})}, message.origin)


def _call(call: ToolCall) -> Tree:
    function = {"name": call.name, "arguments": arguments_text(call)}
    return Placed({"id": call.id, "type": "function", "function": function}, call.origin)


def _results(results: Sequence[ToolResult], style: Style) -> Iterator[Tree]:
    """A run of results, then one user turn with the media of them all."""
    for result in results:
        yield Placed({"role": "tool", "content": text_of(result), "tool_call_id": result.call_id}, result.origin)
    shown = [result for result in results if media_of(result)]
    if shown:
        parts = [part for result in shown for part in _shown(result, style)]
        yield Placed({"role": "user", "content": [_text(_FROM_TOOLS), *parts]}, shown[0].origin)


def _shown(result: ToolResult, style: Style) -> Iterator[Tree]:
    if style.labels is Labels.CALL:
        yield Placed(_text(f"Image from tool call {result.call_id} ({result.name}):"), result.origin)
    for media in media_of(result):
        yield _part(media, style)


def _part(block: Block, style: Style) -> Tree:
    match block:
        case Text(text):
            return Placed(_text(text), block.origin)
        case Media():
            return Placed(_medium(block, style), block.origin)
        case _:
            raise AssertionError(block)


def _text(text: str) -> dict[str, Tree]:
    return {"type": "text", "text": text}


def _medium(media: Media, style: Style) -> dict[str, Tree]:
    """The interface knows addresses of images and ids of files; what it does not know of them is told."""
    uploaded, is_image = file_id(media), media.kind is MediaKind.IMAGE
    match media.source:
        case Uri() if uploaded and not is_image:
            return {"type": "file", "file": {"file_id": uploaded}}
        case Uri(uri) if uploaded or not is_image:
            return _text(f"[{media.kind} unavailable: {uri}]")
        case _ if is_image:
            detail = {"detail": style.detail.value} if style.detail else {}
            return {"type": "image_url", "image_url": {"url": address(media), **detail}}
        case _:
            return {"type": "file", "file": {"filename": file_name(media), "file_data": address(media)}}
