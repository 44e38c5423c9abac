"""Definitions of tools in every vendor's form."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import UsageError
from sessionkit.providers.base import Tool
from sessionkit.providers.tools import read_tools, vendor_tools

if TYPE_CHECKING:
    from sessionkit.core.model import Json

SCHEMA: Json = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"], "additionalProperties": False}
NONE: Json = {"type": "object", "properties": {}}
READ = Tool("read", "Reads.", SCHEMA)
PI: Json = {"name": "read", "description": "Reads.", "parameters": SCHEMA, "constrainedSampling": True}
FUNCTION: Json = {"name": "read", "description": "Reads.", "parameters": SCHEMA}


@pytest.mark.parametrize(
    "value",
    [
        PI,
        [PI],
        {"tools": [PI], "model": "m"},
        {"name": "read", "description": "Reads.", "input_schema": SCHEMA, "cache_control": {"type": "ephemeral"}},
        {"type": "custom", "name": "read", "description": "Reads.", "input_schema": SCHEMA},
        {"name": "read", "description": "Reads.", "inputSchema": SCHEMA},
        {"type": "function", "function": {"name": "read", "description": "Reads.", "parameters": SCHEMA}},
        {"type": "function", "name": "read", "description": "Reads.", "parameters": SCHEMA, "strict": False},
        {"functionDeclarations": [FUNCTION]},
        [{"function_declarations": [{"name": "read", "description": "Reads.", "parametersJsonSchema": SCHEMA}]}],
    ],
)
def test_forms(value: Json) -> None:
    assert read_tools(value) == (READ,)
    assert vendor_tools(value) == ()


@pytest.mark.parametrize("form", ["function", "custom", None])
@pytest.mark.parametrize(("strict", "is_strict"), [(True, True), (False, False), (None, False), ("true", False)])
def test_strictness(form: str | None, strict: Json, is_strict: bool) -> None:
    definition: dict[str, Json] = {"name": "read", "description": "Reads.", "input_schema": SCHEMA, "strict": strict}
    value: Json = {"type": form, form: definition} if form == "function" else {**definition, **({"type": form} if form else {})}
    assert read_tools(value) == (replace(READ, strict=is_strict),)


@pytest.mark.parametrize(
    ("value", "tools"),
    [
        ([], ()),
        ({"tools": []}, ()),
        ([PI, {"name": "bash"}], (READ, Tool("bash", None, NONE))),
        ({"name": "bash", "parameters": None, "description": 1}, (Tool("bash", None, NONE),)),
        ({"functionDeclarations": [FUNCTION, {"name": "bash"}]}, (READ, Tool("bash", None, NONE))),
    ],
)
def test_several_and_none(value: Json, tools: tuple[Tool, ...]) -> None:
    assert read_tools(value) == tools


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ([{"type": "web_search"}, PI], ("web_search",)),
        ([PI, {"type": "bash_20250124", "name": "bash"}], ("bash_20250124",)),
        ([{"type": "custom", "name": "shell", "format": {"type": "text"}}, PI], ("custom",)),
        ([{"type": "custom", "custom": {"name": "shell"}}, PI], ("custom",)),
        ([{"type": "namespace", "name": "mail", "tools": [PI]}, PI], ("namespace",)),
        ({"googleSearch": {}, "functionDeclarations": [FUNCTION], "code_execution": {}}, ("googleSearch", "code_execution")),
    ],
)
def test_what_only_a_vendor_has_is_passed_over(value: Json, names: tuple[str, ...]) -> None:
    assert read_tools(value) == (READ,)
    assert vendor_tools(value) == names


@pytest.mark.parametrize(
    ("value", "place", "why"),
    [
        (None, "(root)", "it is no object"),
        ("read", "(root)", "it is no object"),
        ({}, "(root)", "it has no name"),
        ({"name": ""}, "(root)", "it has no name"),
        ([PI, {"description": "Reads."}], "/1", "it has no name"),
        ([[PI]], "/0", "it is no object"),
        ({"tools": {}}, "(root)", "it has no name"),
        ({"tools": [3]}, "/tools/0", "it is no object"),
        ({"name": "read", "input_schema": "path"}, "/input_schema", "it is no JSON schema"),
        ({"type": "function", "function": "read"}, "/function", "it is no object"),
        ({"type": "function", "function": {"name": "read", "parameters": []}}, "/function/parameters", "it is no JSON schema"),
        ({"functionDeclarations": {}}, "/functionDeclarations", "it is no list of function declarations"),
        ([{"functionDeclarations": [1]}], "/0/functionDeclarations/0", "it is no object"),
        ({"googleSearch": {}, "else": 1}, "/else", "it is no list of function declarations"),
    ],
)
def test_what_defines_no_tool(value: Json, place: str, why: str) -> None:
    for read in (read_tools, vendor_tools):
        with pytest.raises(UsageError) as caught:
            read(value)
        assert (caught.value.what, caught.value.why) == (f"no definition of a tool at {place}", why)


GOOGLE: Json = {
    "type": "OBJECT",
    "properties": {"type": {"type": "STRING", "enum": ["OBJECT"]}, "at": {"anyOf": [{"type": "NULL"}, {"type": "INTEGER"}]}},
    "defs": {"a": {"type": "ARRAY", "items": {"type": "BOOLEAN"}, "prefixItems": [{"type": "NUMBER"}, True]}},
    "additionalProperties": {"type": "STRING", "example": {"type": "STRING"}},
    "type_": "STRING",
}
LOWERED: Json = {
    "type": "object",
    "properties": {"type": {"type": "string", "enum": ["OBJECT"]}, "at": {"anyOf": [{"type": "null"}, {"type": "integer"}]}},
    "defs": {"a": {"type": "array", "items": {"type": "boolean"}, "prefixItems": [{"type": "number"}, True]}},
    "additionalProperties": {"type": "string", "example": {"type": "STRING"}},
    "type_": "STRING",
}


def test_types_of_google_are_written_in_small_letters() -> None:
    [tool] = read_tools({"functionDeclarations": [{"name": "f", "parameters": GOOGLE}]})
    assert tool.schema == LOWERED


def test_only_google_writes_them_in_capitals() -> None:
    [tool] = read_tools({"name": "f", "parameters": GOOGLE})
    assert tool.schema == GOOGLE


def test_a_deep_schema() -> None:
    schema: dict[str, Json] = {"type": "STRING"}
    for _ in range(5000):
        schema = {"type": "ARRAY", "items": schema}
    [tool] = read_tools({"functionDeclarations": [{"name": "f", "parameters": schema}]})
    found = tool.schema
    while isinstance(found, dict) and "items" in found:
        found = found["items"]
    assert found == {"type": "string"}
