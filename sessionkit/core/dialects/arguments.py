"""Arguments of calls, which OpenAI's interfaces keep as the model's own JSON text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias, cast

if TYPE_CHECKING:
    from sessionkit.core.model import Json

Arguments: TypeAlias = "tuple[Json, str | None]"
"""The value, and its text where the session holds one."""


def read_arguments(arguments: object) -> Arguments:
    """Parse a text; an empty one is no arguments, and one that is no JSON stands for itself. Values are taken as they are."""
    if not isinstance(arguments, str):
        return cast("Json", arguments), None
    return (_parse(arguments) if arguments.strip() else {}), arguments


def _parse(text: str) -> Json:
    try:
        return cast("Json", json.loads(text))  # not as bytes: the text may hold a lone surrogate
    except (ValueError, RecursionError):
        return text
