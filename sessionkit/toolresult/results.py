"""Where the texts of results stand in JSON, whoever wrote it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from sessionkit.core.dialects.embedded import part_media
from sessionkit.core.model import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Json

Steps: TypeAlias = "tuple[str | int, ...]"
"""The way into a value."""

_SPEAKERS: Final = frozenset({"user", "assistant", "system", "developer", "model"})
"""Roles whose own words are no result; results can stand among them."""
_RESPONSES: Final = ("functionResponse", "function_response")


class NoResultError(ValueError):
    """A value is nothing that can be a tool's result."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A text: the way to its string; and to its block, which can go if nothing of it is left. None where the string must stay."""

    steps: Steps
    text: str
    block: Steps | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The texts of one result, in order; `has_media` if it shows an image, or another medium."""

    texts: tuple[Spot, ...]
    has_media: bool = False


def find_results(value: Json) -> list[Result]:
    """Find the results that a value is or holds. Raises NoResultError."""
    return list(_results(value, ()))


def _results(value: Json, steps: Steps) -> Iterator[Result]:
    inner = _inner(value)
    if inner is None:
        yield _read(value, steps)
    else:
        for more, part in inner:
            yield from _results(part, steps + more)


def _inner(value: Json) -> list[tuple[Steps, Json]] | None:
    """Go down to the content of a result, or to those that a value holds; None where it is content itself."""
    match value:
        case list() if any(map(_holds_results, value)):
            return [((at,), item) for at, item in enumerate(value) if _holds_results(item)]
        case {"results": list() as results}:
            return [(("results", at), item) for at, item in enumerate(results)]
        case dict() if _speaks(value):
            return [*_among(value, "content"), *_among(value, "parts")]
        case {"type": str(), "output": output}:
            return [(("output",), output)]
        case {"content": content}:
            return [(("content",), content)]
        case _:
            return None


def _speaks(message: dict[str, Json]) -> bool:
    role = message.get("role")
    return isinstance(role, str) and role in _SPEAKERS


def _among(message: dict[str, Json], name: str) -> list[tuple[Steps, Json]]:
    """Find results in a message, apart from its speaker's own words."""
    content = message.get(name)
    inner = _inner(content) if isinstance(content, list) else None
    return [((name, *steps), item) for steps, item in inner or ()]


def _read(value: Json, steps: Steps) -> Result:
    match value:
        case None:
            return Result(())
        case str():
            return Result((Spot(steps, value),))
        case list():
            texts = [spot for at, item in enumerate(value) for spot in _texts(item, (*steps, at))]
            return Result(tuple(texts), any(map(_is_media, value)))
        case dict():
            return _read_object(value, steps)
        case _:
            raise NoResultError


def _read_object(value: dict[str, Json], steps: Steps) -> Result:
    for name in _RESPONSES:
        match value.get(name):
            case dict() as response:
                return _response(response, (*steps, name))
    texts = [replace(spot, block=None) for spot in _texts(value, steps)]
    has_media = _is_media(value)
    if not texts and not has_media:
        raise NoResultError
    return Result(tuple(texts), has_media)


def _holds_results(item: Json) -> bool:
    match item:
        case {"role": str()} | {"results": list()} | {"functionResponse": dict()} | {"function_response": dict()}:
            return True
        case {"type": "tool_result"}:
            return True
        case {"type": str() as type_, "output": _}:
            return type_.endswith("_output")
        case _:
            return False


def _texts(block: Json, steps: Steps) -> Iterator[Spot]:
    """Read a block: what is neither a text nor a medium stays as it is."""
    match block:
        case str():
            yield Spot(steps, block, steps)
        case {"type": "text" | "input_text" | "output_text", "text": str(text)}:
            yield Spot((*steps, "text"), text, steps)
        case {"text": str(text), **members} if "type" not in members:  # Gemini's
            yield Spot((*steps, "text"), text, steps)


def _response(response: dict[str, Json], steps: Steps) -> Result:
    """Read a result of Gemini: its texts are members of an object that the tool may name as it likes."""
    said = response.get("response")
    members = said.items() if isinstance(said, dict) else ()
    texts = [Spot((*steps, "response", name), value) for name, value in members if isinstance(value, str)]
    return Result(tuple(texts), _is_media(response.get("parts")) or _is_media(said))


def _is_media(value: Json) -> bool:
    """Whether a block is a medium, or holds one; a text is none, whatever it quotes."""
    match value:
        case str() | {"text": str()}:
            return False
        case {"type": str() as type_} if "image" in type_.lower():
            return True
        case {"fileData": dict()} | {"file_data": dict()}:
            return True
        case _:
            return bool(part_media(value, NOWHERE).media)
