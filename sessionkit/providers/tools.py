"""Definitions of tools, in whatever form they are found: Pi's, MCP's, Anthropic's, those of OpenAI's two interfaces, and Gemini's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.errors import UsageError
from sessionkit.providers.base import Tool
from sessionkit.providers.google_schemas import as_json_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Json

_SCHEMAS = ("input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema", "parameters")
_DECLARATIONS = frozenset({"functionDeclarations", "function_declarations"})
_OF_CLIENTS = frozenset({"function", "custom"})
"""Types of tools that the client runs; those of other types are run by a vendor, or known to its models alone."""
_OF_GOOGLE = frozenset(
    {"googleSearch", "googleSearchRetrieval", "googleMaps", "codeExecution", "urlContext", "computerUse", "fileSearch"}
    | {"google_search", "google_search_retrieval", "google_maps", "code_execution", "url_context", "computer_use", "file_search"}
)
"""Tools that Gemini's form names by a member instead of a type."""


def read_tools(value: Json) -> tuple[Tool, ...]:
    """Read one definition, a list of them, or an object that holds them as `tools`, in their order.

    Tools that only one vendor has, such as its web search and what takes free text, mean nothing to others: they are passed over, and
    `vendor_tools` names them. Raises UsageError for what defines no tool.
    """
    return tuple(found for found in _read(value) if isinstance(found, Tool))


def vendor_tools(value: Json) -> tuple[str, ...]:
    """Name what `read_tools` passes over, by its type. Raises UsageError like it."""
    return tuple(found for found in _read(value) if isinstance(found, str))


def _read(value: Json) -> Iterator[Tool | str]:
    match value:
        case list(items):
            place = ""
        case {"tools": list(items), **rest} if "name" not in rest:
            place = "/tools"
        case _:
            yield from _define(value, "")
            return
    for at, item in enumerate(items):
        yield from _define(item, f"{place}/{at}")


def _define(value: Json, place: str) -> Iterator[Tool | str]:
    """Yield the tools of one definition, and the type of what only a vendor has."""
    match value:
        case {"type": "function", "function": function}:
            yield _tool(function, f"{place}/function")
        case {"type": "custom", **rest} if not any(name in rest for name in _SCHEMAS):
            yield "custom"
        case {"type": str(type_)} if type_ not in _OF_CLIENTS:
            yield type_
        case dict() if value.keys() & (_DECLARATIONS | _OF_GOOGLE):
            yield from _declare(value, place)
        case _:
            yield _tool(value, place)


def _declare(value: dict[str, Json], place: str) -> Iterator[Tool | str]:
    for name, member in value.items():
        match member:
            case list() if name in _DECLARATIONS:
                yield from (_tool(_translated(item), f"{place}/{name}/{at}") for at, item in enumerate(member))
            case _ if name in _OF_GOOGLE:
                yield name
            case _:
                raise _refuse(f"{place}/{name}", "it is no list of function declarations")


def _translated(declaration: Json) -> Json:
    """Translate the parameters, if they are in Google's own form."""
    if not isinstance(declaration, dict) or not isinstance(parameters := declaration.get("parameters"), dict):
        return declaration
    return {**declaration, "parameters": as_json_schema(parameters)}


def _tool(value: Json, place: str) -> Tool:
    if not isinstance(value, dict):
        raise _refuse(place, "it is no object")
    name, description = value.get("name"), value.get("description")
    if not isinstance(name, str) or not name:
        raise _refuse(place, "it has no name")
    return Tool(name, description if isinstance(description, str) else None, _schema(value, place), value.get("strict") is True)


def _schema(value: dict[str, Json], place: str) -> Json:
    """Find the schema of the arguments; without one there are none."""
    name = next((name for name in _SCHEMAS if value.get(name) is not None), None)
    if name is None:
        return {"type": "object", "properties": {}}
    if not isinstance(value[name], dict):
        raise _refuse(f"{place}/{name}", "it is no JSON schema")
    return value[name]


def _refuse(place: str, why: str) -> UsageError:
    return UsageError(
        f"no definition of a tool at {place or '(root)'}",
        why=why,
        hint='give {"name", "description", "parameters"}, or the form of Anthropic, OpenAI or Gemini: one, or a list',
    )
