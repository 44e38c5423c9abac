"""Arguments of calls, which OpenAI's interfaces keep as the model's own JSON text."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from sessionkit.core.dialects.content import parse_arguments

if TYPE_CHECKING:
    from sessionkit.core.model import Json

Arguments: TypeAlias = "tuple[Json, str | None]"
"""The value, and its text where the session holds one."""


def read_arguments(arguments: object) -> Arguments:
    """Parse a text; an empty one is no arguments, and one that is no JSON stands for itself. Values are taken as they are."""
    if isinstance(arguments, str):
        return (parse_arguments(arguments) if arguments.strip() else {}), arguments
    return cast("Json", arguments), None
