"""Definitions of tools, of which every name is one tool's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.dataclass import replace
from sessionkit.providers.replay.numbers import finite, non_finite, told
from sessionkit.providers.replay.remarks import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.providers.base import Provider, Tool


def settle_tools(tools: Iterable[Tool], provider: Provider) -> tuple[tuple[Tool, ...], tuple[Note, ...]]:
    """Make of definitions what an interface takes: of several of a name the latest counts, in the place of the first."""
    held = list(tools)
    latest = {tool.name: tool for tool in held}
    notes = [*_repeated(held), *(note for tool in latest.values() for note in _notes(tool, provider))]
    return tuple(_sendable(tool, provider) for tool in latest.values()), tuple(notes)


def _repeated(tools: list[Tool]) -> Iterator[Note]:
    names = [tool.name for tool in tools]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield Note(f"the tool {name} is defined {names.count(name)} times: the latest definition is sent")


def _notes(tool: Tool, provider: Provider) -> Iterator[Note]:
    if tool.strict and not provider.takes_strict:
        yield Note(f"{provider.id} knows no strict tools: {tool.name} is sent as any other")
    places = non_finite(tool.schema)
    if places:
        yield Note(f"{told(places)} in the schema of the tool {tool.name}")


def _sendable(tool: Tool, provider: Provider) -> Tool:
    schema = finite(tool.schema) if non_finite(tool.schema) else tool.schema
    return replace(tool, schema=schema, strict=tool.strict and provider.takes_strict)
