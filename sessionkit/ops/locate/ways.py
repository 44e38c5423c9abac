"""Ways into a request, as refusals write them: `messages.3.content.0.tool_result.content.1.image…`, `input[7].output[0].image_url`."""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.providers.body import Steps

_STEP: Final = r"(?:\.?\[\d+\]|\.\d+|\.[A-Za-z_]\w*)"
_ways = re.compile(rf"(messages|input|contents)((?:\.?\[\d+\]|\.\d+){_STEP}*)").finditer
_steps = re.compile(r"\d+|[A-Za-z_]\w*").findall
_paths = re.compile(r"\bpaths[\"']?\s*[:=]\s*\[([^\]]*)\]").search
_param = re.compile(rf"\bparam[\"']?\s*[:=]\s*[\"']?((?:messages|input|contents){_STEP}+)").search

_KEPT: Final = frozenset({"content", "parts", "output", "summary", "tool_calls", "functionResponse"})
"""Names of lists that hold blocks, and what holds such a list; other names are the types of blocks, and their members."""
_OTHER_NAMES: Final = {"function_response": "functionResponse"}


def ways_in(text: str) -> tuple[Steps, ...]:
    """Find the places that a text names: all where it lists them, else the one of its own member, else the first in its words."""
    listed, named = _paths(text), _param(text)
    if listed and (ways := tuple(_found(listed[1]))):
        return ways
    return tuple(islice(chain(_found(named[1]) if named else (), _found(text)), 1))


def provider_in(text: str) -> str:
    """Tell by its spelling whose interface a text names a place of; empty if it names none."""
    found = next(_ways(text), None)
    match found and found[1]:
        case None:
            return ""
        case "input":
            return "openai-responses"
        case "contents":
            return "gemini"
        case _:
            return "openai-chat" if found and "[" in found[2] else "anthropic"


def steps_of(way: str) -> Steps:
    """Read one way; empty if it is none."""
    return next(_found(way), ())


def _found(text: str) -> Iterator[Steps]:
    for way in _ways(text):
        steps = (_OTHER_NAMES.get(step, step) for step in _steps(way[2]))
        yield (way[1], *(int(step) if step.isdecimal() else step for step in steps if step.isdecimal() or step in _KEPT))


def is_within(inner: Steps, outer: Steps) -> bool:
    """Whether a way leads to a place, or into it."""
    return inner[: len(outer)] == outer


def is_related(one: Steps, other: Steps) -> bool:
    """Whether one of two ways leads to a place that the other one leads into."""
    return is_within(one, other) or is_within(other, one)
