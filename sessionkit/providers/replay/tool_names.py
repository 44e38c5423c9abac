"""Names of tools as an interface takes them: the same in definitions, calls and results, and another for every tool."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from sessionkit.core.model import NOWHERE, ToolCall, ToolResult
from sessionkit.dataclass import dataclass, replace
from sessionkit.providers.replay.contents import with_content
from sessionkit.providers.replay.remarks import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sessionkit.core.model import Block, Message, Origin
    from sessionkit.providers.base import NameRule, Tool

_NAMELESS: Final = "unnamed_tool"
_DIGITS: Final = 8
_LONGEST: Final = 60


@dataclass(frozen=True, slots=True)
class Named:
    """Messages and tools whose names fit."""

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    notes: tuple[Note, ...] = ()


def fit_names(messages: tuple[Message, ...], tools: tuple[Tool, ...], rule: NameRule) -> Named:
    """Change the names that an interface would refuse, and no others. Every call must have an id of its own.

    A result has the name of its call; a call without a name gets that of its result.
    """
    blocks = [block for message in messages for block in message.content if isinstance(block, ToolCall | ToolResult)]
    called = _called(blocks)
    names = _chosen(dict.fromkeys((*(tool.name for tool in tools), *called.values())), rule)
    if not any(_new(block, called, names) != block.name for block in blocks) and not any(names[tool.name] != tool.name for tool in tools):
        return Named(messages, tools)
    places = {called[block.id]: block.origin for block in reversed(blocks) if isinstance(block, ToolCall)}
    renamed = (with_content(message, (_renamed(block, called, names) for block in message.content)) for message in messages)
    return Named(tuple(renamed), tuple(replace(tool, name=names[tool.name]) for tool in tools), tuple(_notes(names, places)))


def _called(blocks: Iterable[ToolCall | ToolResult]) -> dict[str, str]:
    """Name the tool of each call, by the call's id."""
    answered = {block.call_id: block.name for block in blocks if isinstance(block, ToolResult)}
    return {block.id: block.name or answered.get(block.id, "") for block in blocks if isinstance(block, ToolCall)}


def _new(block: ToolCall | ToolResult, called: Mapping[str, str], names: Mapping[str, str]) -> str:
    return names[called[block.id if isinstance(block, ToolCall) else block.call_id]]


def _renamed(block: Block, called: Mapping[str, str], names: Mapping[str, str]) -> Block:
    return replace(block, name=_new(block, called, names)) if isinstance(block, ToolCall | ToolResult) else block


def _notes(names: Mapping[str, str], places: Mapping[str, Origin]) -> Iterator[Note]:
    for name, new in names.items():
        if name != new:
            shown = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
            yield Note(f"the interface takes no tool of the name {shown!r}: it is called {new} here", places.get(name, NOWHERE))


def _chosen(names: Iterable[str], rule: NameRule) -> dict[str, str]:
    """Choose for each name one that fits: its own if it does, else one that no other has."""
    fits = re.compile(f"[{rule.first}][{rule.inner}]{{0,{rule.longest - 1}}}").fullmatch
    chosen = {name: name for name in names if fits(name)}
    taken = set(chosen)
    for name in names:
        if name not in chosen:
            chosen[name] = _free(_fitting(name, rule), rule, taken)
            taken.add(chosen[name])
    return chosen


def _fitting(name: str, rule: NameRule) -> str:
    """Replace foreign characters, and shorten what is too long; a hash of the old name keeps two of them apart."""
    fitting = re.sub(f"[^{rule.inner}]", "_", name) or _NAMELESS
    fitting = fitting if re.match(f"[{rule.first}]", fitting) else f"_{fitting}"
    if len(fitting) <= rule.longest:
        return fitting
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{fitting[: rule.longest - _DIGITS - 1]}_{digest}"


def _free(wanted: str, rule: NameRule, taken: set[str]) -> str:
    new, number = wanted, 1
    while new in taken:
        number += 1
        ending = f"_{number}"
        new = wanted[: rule.longest - len(ending)] + ending
    return new
