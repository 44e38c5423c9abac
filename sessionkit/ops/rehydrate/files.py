"""What a user gives beside the session: a system prompt, tools, fields of the request, a catalogue of models."""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING, NoReturn, TypeVar

from sessionkit.core.files import unreadable
from sessionkit.errors import Place, UsageError
from sessionkit.providers.replay.surrogates import cleaned

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sessionkit.core.model import Json

_Read = TypeVar("_Read")

_LONGEST = 60
_HINT = "`sessionkit rehydrate --help` shows the forms that are read"


def read_text(path: Path) -> str:
    """Read a text in UTF-8, without a byte order mark. Raises UnreadableError, and UsageError for what is no text."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise unreadable(path, error) from error
    except UnicodeDecodeError as error:
        place = Place(str(path), error.object.count(b"\n", 0, error.start) + 1)
        raise UsageError("not a text in UTF-8", place=place, why=error.reason, hint="`iconv -t utf-8` converts it") from error


def read_json(path: Path, read: Callable[[Json], _Read]) -> _Read:
    """Read one JSON document, and let `read` make something of it, which raises ValueError or UsageError if it cannot.

    Integers keep all their digits. Raises UnreadableError, and UsageError with the line of what is no JSON; a number that is too large
    for any program counts as that.
    """
    try:
        value: Json = json.loads(read_text(path), parse_constant=_refuse, parse_float=_finite)
    except json.JSONDecodeError as error:
        why = f"{error.msg[:1].lower()}{error.msg[1:]}, column {error.colno}"
        raise UsageError("not a JSON document", place=Place(str(path), error.lineno), why=why, hint="correct it there") from error
    except (ValueError, RecursionError) as error:
        raise UsageError("not a JSON document", place=Place(str(path)), why=_words(error), hint="correct it") from error
    try:
        return read(value)
    except UsageError as error:
        raise UsageError(error.what, place=Place(str(path)), why=error.why, hint=error.hint) from error
    except ValueError as error:
        raise UsageError("it does not say what it should", place=Place(str(path)), why=str(error), hint=_HINT) from error


def read_fields(value: Json) -> dict[str, Json]:
    """Take fields of a request. Raises ValueError for what is no object, or could not be sent."""
    if not isinstance(value, dict):
        raise ValueError("it is no object")  # noqa: TRY004  the file holds a wrong value, which is no error of the caller
    halved = next((name for name, member in value.items() if cleaned({name: member}) != {name: member}), None)
    if halved is not None:
        raise ValueError(f"half of a surrogate pair stands in {halved!a}, and is no character")
    return value


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(f"{digits[:_LONGEST]} is too large for a number")
    return number


def _words(error: Exception) -> str:
    return "nested too deep" if isinstance(error, RecursionError) else str(error)
