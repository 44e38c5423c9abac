"""What a user gives beside the session: a system prompt, tools, fields of the request, a catalogue of models."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeVar

from sessionkit.core.files import unreadable
from sessionkit.errors import Place, UsageError
from sessionkit.providers.replay.numbers import non_finite
from sessionkit.providers.replay.surrogates import halves

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sessionkit.core.model import Json

_Read = TypeVar("_Read")

_NO_NUMBER = "a number that JSON does not know, or that is too large for any program"
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

    Integers keep all their digits. Raises UnreadableError, and UsageError with the place of what is no JSON; a number that is too large
    for any program counts as that.
    """
    try:
        value: Json = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        why = f"{error.msg[:1].lower()}{error.msg[1:]}, column {error.colno}"
        raise UsageError("not a JSON document", place=Place(str(path), error.lineno), why=why, hint="correct it there") from error
    except (ValueError, RecursionError) as error:
        raise UsageError("not a JSON document", place=Place(str(path)), why=_words(error), hint="correct it") from error
    for pointer in non_finite(value):
        raise UsageError("not a JSON document", place=Place(str(path), pointer=pointer), why=_NO_NUMBER, hint="correct it there")
    try:
        return read(value)
    except UsageError as error:
        place = Place(str(path), pointer=error.place.pointer if error.place else None)
        raise UsageError(error.what, place=place, why=error.why, hint=error.hint) from error
    except ValueError as error:
        raise UsageError("it does not say what it should", place=Place(str(path)), why=str(error), hint=_HINT) from error


def read_fields(value: Json) -> dict[str, Json]:
    """Take fields of a request. Raises ValueError for what is no object, and UsageError with the place of what could not be sent."""
    if not isinstance(value, dict):
        raise ValueError("it is no object")  # noqa: TRY004  the file holds a wrong value, which is no error of the caller
    for pointer in halves(value):
        raise UsageError("half of a surrogate pair is no character", place=Place("", pointer=pointer), hint="correct it there")
    return value


def _words(error: Exception) -> str:
    return "nested too deep" if isinstance(error, RecursionError) else "a number has thousands of digits"
