"""The messages of Pi and Ink, by role."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.dialects.content import below, carry, shown, string, token_counts
from sessionkit.core.dialects.pi import decode_blocks
from sessionkit.core.model import Message, Model, Role, Shell, StopReason, ToolResult, Usage, UserKind
from sessionkit.dataclass import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sessionkit.core.entries import JsonObject
    from sessionkit.core.model import Origin

_ASSISTANT, _PROMPT = Role.ASSISTANT, UserKind.PROMPT
_STOP_REASONS = {
    "stop": StopReason.STOP,
    "length": StopReason.LENGTH,
    "toolUse": StopReason.TOOL_USE,
    "error": StopReason.ERROR,
    "aborted": StopReason.ABORTED,
}


def decode_message(message: JsonObject, origin: Origin) -> Message:
    """Decode a message that stands at `origin`. One of an unknown role becomes a meta message that carries its role."""
    return _DECODERS.get(string(message.get("role")), _unknown)(message, origin)


def replace_content(message: Message, content: object, origin: Origin) -> Message:
    """Give a message another content, which stands at `origin`; a string counts as a block where a role has no bare strings."""
    blocks, plain = decode_blocks(content, origin)
    match message.role:
        case Role.TOOL:
            results = (block for block in message.content if isinstance(block, ToolResult))
            return replace(message, content=tuple(replace(result, content=shown(blocks), plain=False) for result in results))
        case Role.ASSISTANT:
            return replace(message, content=blocks, plain=False)
        case Role.META:
            return message
        case _:
            return replace(message, content=blocks, plain=plain)


def _system(message: JsonObject, origin: Origin) -> Message:
    carried = carry(message, "sections", "toolsAdded", "toolsRemoved")
    return replace(_spoken(Role.SYSTEM, message, origin), carried=carried)


def _prompt(message: JsonObject, origin: Origin) -> Message:
    return _spoken(Role.USER, message, origin)


def _note(message: JsonObject, origin: Origin) -> Message:
    return replace(_prompt(message, origin), kind=UserKind.NOTE)


def _answer(message: JsonObject, origin: Origin) -> Message:
    blocks, plain = decode_blocks(message.get("content"), below(origin, "content"))
    usage, stop_reason = _usage(message.get("usage")), _STOP_REASONS.get(string(message.get("stopReason")))
    return Message(_ASSISTANT, blocks, origin, _PROMPT, plain, usage, stop_reason, _model(message))


def _tool(message: JsonObject, origin: Origin) -> Message:
    return Message(Role.TOOL, tuple(_results(message, origin)), origin)


def _command(message: JsonObject, origin: Origin) -> Message:
    return Message(Role.USER, (_shell(message, origin),), origin, UserKind.SHELL)


def _unknown(message: JsonObject, origin: Origin) -> Message:
    return Message(Role.META, (), origin, carried=carry(message, "role"))


_DECODERS: dict[str, Callable[[JsonObject, Origin], Message]] = {
    "system": _system,
    "user": _prompt,
    "custom": _note,
    "hookMessage": _note,
    "assistant": _answer,
    "toolResult": _tool,
    "tool_result": _tool,
    "bashExecution": _command,
}


def _spoken(role: Role, message: JsonObject, origin: Origin) -> Message:
    blocks, plain = decode_blocks(message.get("content"), below(origin, "content"))
    return Message(role, blocks, origin, plain=plain)


def _usage(usage: object) -> Usage | None:
    counts = token_counts(usage, "input", "output", "cacheRead", "cacheWrite", "totalTokens")
    if not counts:
        return None
    sent, received, read, written, total = counts
    return Usage(sent, received, read, written, total)


def _model(message: JsonObject) -> Model | None:
    provider, api, model = string(message.get("provider")), string(message.get("api")), string(message.get("model"))
    return Model(provider, api, model) if provider or api or model else None


def _results(message: JsonObject, origin: Origin) -> Iterator[ToolResult]:
    """One result as Pi writes it, or the list of them of Ink."""
    results = message.get("results")
    if not isinstance(results, list):
        yield _result(message, origin)
        return
    for index, result in enumerate(results):
        if isinstance(result, dict):
            yield _result(result, below(origin, "results", index))


def _result(result: JsonObject, origin: Origin) -> ToolResult:
    blocks, plain = decode_blocks(result.get("content"), below(origin, "content"))
    call = string(result.get("toolCallId")) or string(result.get("callId"))
    name = string(result.get("toolName")) or string(result.get("name"))
    return ToolResult(call, name, shown(blocks), result.get("isError") is True, plain, origin)


def _shell(message: JsonObject, origin: Origin) -> Shell:
    code = message.get("exitCode")
    return Shell(
        string(message.get("command")),
        string(message.get("output")),
        code if isinstance(code, int) else None,
        excluded=message.get("excludeFromContext") is True,
        cancelled=message.get("cancelled") is True,
        truncated_to=string(message.get("fullOutputPath")),
        origin=origin,
    )
