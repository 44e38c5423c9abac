"""Google's own form of schemas, an older selection of OpenAPI with the types in capitals."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sessionkit.core.model import Json

_TYPES = frozenset({"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"})
_SCHEMA = ("items", "additionalProperties")
_LISTS = ("anyOf", "prefixItems")
_NAMED = ("properties", "defs", "$defs")


def as_json_schema(schema: dict[str, Json]) -> dict[str, Json]:
    """Write the types as JSON schema does, however deep; the rest means the same, or nothing, there. `schema` is not changed."""
    root = dict(schema)
    todo = [root]
    while todo:
        node = todo.pop()
        type_ = node.get("type")
        if isinstance(type_, str) and type_ in _TYPES:
            node["type"] = type_.lower()
        for name, value in node.items():
            node[name], copies = _copied(name, value)
            todo += copies
    return root


def _copied(name: str, value: Json) -> tuple[Json, list[dict[str, Json]]]:
    """Copy a member down to the schemas in it, which are given too."""
    match value:
        case dict() if name in _SCHEMA:
            copy = dict(value)
            return copy, [copy]
        case dict() if name in _NAMED:
            named = {key: dict(child) if isinstance(child, dict) else child for key, child in value.items()}
            return named, [child for child in named.values() if isinstance(child, dict)]
        case list() if name in _LISTS:
            listed = [dict(child) if isinstance(child, dict) else child for child in value]
            return listed, [child for child in listed if isinstance(child, dict)]
        case _:
            return value, []
