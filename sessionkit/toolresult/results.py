"""Where the results of tools stand in JSON, whoever wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.dataclass import replace
from sessionkit.toolresult.prose import Result, Spot, Steps, is_block, is_medium, read_content

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Json

_SPEAKERS: Final = frozenset({"user", "assistant", "system", "developer", "model"})
"""Roles whose own words are no result; results can stand among them."""
_RESPONSES: Final = ("functionResponse", "function_response")
_WRAPPERS: Final = (*_RESPONSES, "codeExecutionResult", "code_execution_result", "toolResult", "tool_response")
"""Members that are a result, whatever stands beside them."""


class NoResultError(ValueError):
    """A value is nothing that can be a tool's result."""


def find_results(value: Json) -> list[Result]:
    """Find the results that a value is or holds. Raises NoResultError."""
    if value is None:
        raise NoResultError
    return list(_results(value))


def _results(value: Json) -> Iterator[Result]:
    """Go down with a stack of its own: wrappers are as deep as the value says."""
    todo: list[tuple[Json, Steps, bool]] = [(value, (), False)]
    while todo:
        value, steps, shows = todo.pop()
        inner = _inner(value)
        if inner is None:
            result = _read(value, steps)
            yield replace(result, has_media=True) if shows else result
        else:
            beside = shows or _shows_beside(value)
            todo += [(part, steps + more, beside) for more, part in reversed(inner)]


def _inner(value: Json) -> list[tuple[Steps, Json]] | None:
    """Go down to the results that a value holds; None where it is one itself."""
    match value:
        case list() if any(map(_holds_results, value)):
            return [((at,), item) for at, item in enumerate(value) if _holds_results(item)]
        case {"results": list() as results}:
            return [(("results", at), item) for at, item in enumerate(results)]
        case dict() if _speaks(value):
            return [*_among(value, "content"), *_among(value, "parts")]
        case dict() if name := _wrapper(value):
            return [((name,), value[name])]
        case {"content": (list() | dict()) as content} if any(map(_holds_results, content if isinstance(content, list) else [content])):
            return [(("content",), content)]
        case _:
            return None


def _wrapper(value: dict[str, Json]) -> str:
    """Name the member of an object that a result is; empty if it is one itself."""
    match value:
        case {"type": str(), "output": _}:
            return "output"
        case {"type": "tool-result", "result": _}:
            return "result"
        case {"result": dict() as result} if "content" in result or "structuredContent" in result:  # JSON-RPC's
            return "result"
        case {"role": str(), "content": _}:  # what else it holds is not sent
            return "content"
        case _:
            return next((name for name in _WRAPPERS if name in value), "")


def _speaks(message: dict[str, Json]) -> bool:
    role = message.get("role")
    return isinstance(role, str) and role in _SPEAKERS


def _among(message: dict[str, Json], name: str) -> list[tuple[Steps, Json]]:
    """Find results in a message, apart from its speaker's own words."""
    content = message.get(name)
    inner = _inner(content) if isinstance(content, list) else None
    return [((name, *steps), item) for steps, item in inner or ()]


def _shows_beside(value: Json) -> bool:
    """Whether media stand beside responses of Gemini, which could not hold any once."""
    match value:
        case {"parts": list() as parts} | (list() as parts):
            return any(map(_is_response, parts)) and any(map(_is_part_with_media, parts))
        case _:
            return False


def _is_response(part: Json) -> bool:
    return isinstance(part, dict) and any(name in part for name in _RESPONSES)


def _is_part_with_media(part: Json) -> bool:
    return isinstance(part, dict) and "type" not in part and "text" not in part and is_medium(part)


def _read(value: Json, steps: Steps) -> Result:
    match value:
        case None:
            return Result(())
        case str():
            return Result((Spot(steps, value),))
        case list() | dict() if steps or isinstance(value, list) or _is_result(value):
            return read_content(value, steps)
        case _:
            raise NoResultError


def _is_result(value: dict[str, Json]) -> bool:
    match value:
        case {"name": str(), "response": dict()} | {"content": None | str() | list() | dict()} | {"structuredContent": _}:
            return True
        case {"type": str() as type_} if type_.endswith("tool_result"):
            return True
        case _:
            return is_block(value)


def _holds_results(item: Json) -> bool:
    match item:
        case {"role": str()} | {"results": list()}:
            return True
        case {"type": str() as type_, **members}:
            return type_.endswith(("tool_result", "tool-result")) or (type_.endswith("_output") and "output" in members)
        case dict():
            return any(isinstance(item.get(name), dict) for name in _WRAPPERS)
        case _:
            return False
