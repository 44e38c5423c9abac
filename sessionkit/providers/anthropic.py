"""The Messages API of Anthropic."""

from __future__ import annotations

from itertools import chain, groupby
from typing import TYPE_CHECKING, ClassVar

from sessionkit.core.model import Media, MediaKind, Role, Text, Thinking, ToolCall, ToolResult, Uri
from sessionkit.providers.base import PLAIN, Cache, NameRule, Prompt, Provider, Style, Target, Tool
from sessionkit.providers.body import Payload, Placed
from sessionkit.providers.results import NO_OUTPUT, ONLY_MEDIA, media_of, results_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sessionkit.core.model import Block, Message
    from sessionkit.providers.body import Tree

MAX_TOKENS = 4096
"""Of the answer; the interface does not do without a number."""

_MOVED = "(image attached after the tool results)"
_SCHEMA_KEYWORDS = ("type", "properties", "required", "additionalProperties", "$defs", "definitions")


class Anthropic(Provider):
    """Media stand where the session has them, but for those of failed results, which may hold nothing but text."""

    id: ClassVar[str] = "anthropic"
    vendor: ClassVar[str] = "anthropic"
    api: ClassVar[str] = "anthropic-messages"
    list_name: ClassVar[str] = "messages"
    order: ClassVar[tuple[str, ...]] = ("tools", "system", "messages")
    names: ClassVar[NameRule] = NameRule(128)

    def body(self, prompt: Prompt, target: Target, style: Style = PLAIN) -> dict[str, Tree]:
        system = [_text(prompt.system)] if prompt.system else []
        tools = [_tool(tool) for tool in prompt.tools]
        last = max((at for at, message in enumerate(prompt.messages) if message.role is not Role.ASSISTANT), default=None)
        caches = (style.cache if at == last else Cache.NO for at in range(len(prompt.messages)))
        return {
            "model": target.model or "MODEL",
            "max_tokens": MAX_TOKENS,
            **({"system": _ending(system, style.cache)} if system else {}),
            "messages": [_message(message, cache) for message, cache in zip(prompt.messages, caches, strict=True)],
            **({"tools": _ending(tools, style.cache)} if tools else {}),
        }


def _ending(parts: Sequence[Tree], cache: Cache) -> Sequence[Tree]:
    """Mark the last part, where that is wanted."""
    match parts:
        case [*rest, Placed(dict(value), origin)] if cache is Cache.MARK:
            return [*rest, Placed(_marked(value), origin)]
        case [*rest, dict(value)] if cache is Cache.MARK:
            return [*rest, _marked(value)]
        case _:
            return parts


def _marked(part: Mapping[str, Tree]) -> dict[str, Tree]:
    return {**part, "cache_control": {"type": "ephemeral"}}


def _tool(tool: Tool) -> dict[str, Tree]:
    """Keep of the schema what the interface takes at its root; it insists on a type."""
    schema = tool.schema if isinstance(tool.schema, dict) else {}
    kept = {name: value for name, value in schema.items() if name in _SCHEMA_KEYWORDS}
    described = {} if tool.description is None else {"description": tool.description}
    strict = {"strict": True} if tool.strict else {}
    return {"name": tool.name, **described, "input_schema": kept if "type" in kept else {"type": "object", **kept}, **strict}


def _message(message: Message, cache: Cache) -> Placed:
    role = "assistant" if message.role is Role.ASSISTANT else "user"
    return Placed({"role": role, "content": _content(message, cache)}, message.origin)


def _content(message: Message, cache: Cache) -> Tree:
    match message.content:
        case [Text(text, origin)] if message.plain and cache is Cache.NO:
            return Placed(text, origin)
        case _ if message.role is Role.TOOL:
            results = results_of(message)
            moved = chain.from_iterable(_moved(result) for result in results if result.is_error)
            return _ending([*map(_placed, results), *moved], cache)
        case blocks:
            return _ending([*map(_placed, blocks)], cache)


def _placed(block: Block) -> Placed:
    return Placed(_block(block), block.origin)


def _block(block: Block) -> dict[str, Tree]:
    match block:
        case Text(text):
            return _text(text)
        case Thinking(signature=data, redacted=True):
            return {"type": "redacted_thinking", "data": data}
        case Thinking(text, signature):
            return {"type": "thinking", "thinking": text, "signature": signature}
        case ToolCall(id_, name, arguments):
            return {"type": "tool_use", "id": id_, "name": name, "input": arguments}
        case ToolResult():
            return {"type": "tool_result", "tool_use_id": block.call_id, "content": _said(block), "is_error": block.is_error}
        case Media():
            return _medium(block)
        case _:
            raise AssertionError(block)


def _text(text: str) -> dict[str, Tree]:
    return {"type": "text", "text": text}


def _medium(media: Media) -> dict[str, Tree]:
    title = {"title": media.name} if media.kind is MediaKind.DOCUMENT and media.name else {}
    return {"type": media.kind.value, "source": _source(media), **title}


def _source(media: Media) -> Tree:
    match media.source:
        case Uri(uri):
            return media.carried.get("source", {"type": "url", "url": uri})
        case _:
            return {"type": "base64", "media_type": media.media_type, "data": Payload(media)}


def _said(result: ToolResult) -> Tree:
    """A string where there are no media. Blank text is refused everywhere, and an empty string in a failed result."""
    if result.is_error:
        return _without_media(result)
    if not media_of(result):
        return text_of(result, nothing="")
    lone = [] if any(isinstance(block, Text) for block in result.content) else [Placed(_text(ONLY_MEDIA), result.origin)]
    return [*lone, *map(_placed, result.content)]


def _without_media(result: ToolResult) -> str:
    texts: list[str] = []
    for kind, run in groupby(result.content, key=type):
        texts += [_MOVED] if kind is Media else [block.text for block in run if isinstance(block, Text)]
    return "\n".join(texts) or NO_OUTPUT


def _moved(result: ToolResult) -> Iterator[Placed]:
    media = media_of(result)
    if media:
        yield Placed(_text(f"Images from the error result of tool call {result.call_id} ({result.name}):"), result.origin)
        yield from map(_placed, media)
