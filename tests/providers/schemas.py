"""The types of the vendors' own clients as schemas that are closed: they refuse every member that the types do not name."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from anthropic.types.message_create_params import MessageCreateParamsNonStreaming, MessageCreateParamsStreaming
from google.genai.types import Content, Tool
from jsonschema import Draft202012Validator
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming, CompletionCreateParamsStreaming
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming, ResponseCreateParamsStreaming
from pydantic import TypeAdapter, ValidationError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jsonschema import ValidationError as Fault
    from pydantic import BaseModel

    from tests.providers.strict.base import Loaded

_TYPES: dict[str, tuple[Any, Any]] = {
    "anthropic": (MessageCreateParamsNonStreaming, MessageCreateParamsStreaming),
    "openai-chat": (CompletionCreateParamsNonStreaming, CompletionCreateParamsStreaming),
    "openai-responses": (ResponseCreateParamsNonStreaming, ResponseCreateParamsStreaming),
}
"""By interface: the type of a request, and of one that asks for a stream."""
_GEMINI_MEMBERS = frozenset({"contents", "systemInstruction", "tools", "generationConfig"})


def faults(interface: str, body: Loaded) -> list[str]:
    """What the types of the interface's client do not allow, as `messages/0/content: …`."""
    if interface == "gemini":
        return list(_gemini_faults(body))
    found = [fault for error in _validator(interface, body.get("stream") is True).iter_errors(body) for fault in _narrowed(error)]
    strangers = {tuple(fault.absolute_path)[:-1] for fault in found if _is_tag(fault.absolute_path)}
    return [_told(fault) for fault in found if _is_tag(fault.absolute_path) or tuple(fault.absolute_path) not in strangers]


@cache
def _validator(interface: str, is_stream: bool) -> Draft202012Validator:
    schema = TypeAdapter(_TYPES[interface][is_stream]).json_schema()
    for definition in (schema, *schema["$defs"].values()):
        _close(definition)
    return Draft202012Validator(schema)


def _close(schema: Loaded) -> None:
    """Forbid other members, also where a type of answers allows them to come in later versions."""
    if "properties" in schema:
        schema["additionalProperties"] = False


def _narrowed(error: Fault) -> Iterator[Fault]:
    """Of a union only the branch that is meant: whose tags fit, and of such the one that comes nearest."""
    branches: dict[int, list[Fault]] = {}
    for inner in error.context or ():
        branches.setdefault(int(inner.relative_schema_path[0]), []).append(inner)
    if not branches:
        yield error
        return
    nearest = min(branches.values(), key=lambda inner: (_is_misfit(inner), len(inner)))
    for inner in nearest:
        yield from _narrowed(inner)


def _is_misfit(errors: list[Fault]) -> bool:
    """Whether a tag has another value, or the whole is of another kind (a list where a string is allowed)."""
    return any(
        (len(error.relative_path) == 1 and _is_tag(error.relative_path)) or (not error.relative_path and error.validator == "type")
        for error in errors
    )


def _is_tag(path: Sequence[str | int]) -> bool:
    return bool(path) and path[-1] in ("type", "role")


def _told(fault: Fault) -> str:
    return f"{'/'.join(map(str, fault.absolute_path))}: {fault.message}"


def _gemini_faults(body: Loaded) -> Iterator[str]:
    yield from (f"{name}: not a member of a request" for name in body.keys() - _GEMINI_MEMBERS)
    for number, content in enumerate(body["contents"]):
        yield from _model_faults(f"contents/{number}", Content, content)
    if "systemInstruction" in body:
        yield from _model_faults("systemInstruction", Content, body["systemInstruction"])
    for number, tool in enumerate(body.get("tools", [])):
        yield from _model_faults(f"tools/{number}", Tool, tool)


def _model_faults(place: str, model: type[BaseModel], value: Loaded) -> Iterator[str]:
    """Google's types are closed, and take both spellings of a name."""
    try:
        model.model_validate(value)
    except ValidationError as error:
        yield from ("/".join((place, *map(str, fault["loc"]))) + f": {fault['msg']}" for fault in error.errors())
