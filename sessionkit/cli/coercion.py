"""Turn words of a command line, of the environment or of a settings file into the values of parameters.

typer would do it with pydantic, whose import takes longer than typer's own and 14 MB in every worker process.
"""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sessionkit.cli.declare import Parameter

_SWITCH = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False, "": False}


def convert(param: Parameter, value: object) -> object:
    """Convert a value, or each of several, to a parameter's type. Raises ValueError, which says what the value should be."""
    option = param.declared
    if any("\0" in str(item) for item in (value if isinstance(value, list | tuple) else (value,))):
        raise ValueError("it holds a NUL byte")
    if isinstance(value, list | tuple):
        return [option.parser(item) if option.parser else _convert_one(param.kind, item) for item in value]
    converted = option.parser(str(value)) if option.parser else _convert_one(param.kind, value)
    if option.min is not None and converted < option.min:
        raise ValueError(f"{value} is less than {option.min}")
    return converted


def _convert_one(kind: type, value: object) -> Any:  # noqa: ANN401  whatever the option takes
    if isinstance(value, kind):
        return value
    text = str(value)
    if issubclass(kind, Enum):
        return _choose(kind, text)
    if kind is Path:
        return _path(text)
    if kind is bool:
        return _switch(text)
    if kind is int:
        return _whole(text)
    raise TypeError(kind)


def _choose(kind: type[Enum], text: str) -> Enum:
    try:
        return kind(text)
    except ValueError:
        choices = ", ".join(str(member.value) for member in kind)
        raise ValueError(f"{text!r} is not one of {choices}") from None


def _path(text: str) -> Path:
    if not text:
        raise ValueError("it is empty; name a file, or a folder: `.` is the working one")
    return Path(text)


def _switch(text: str) -> bool:
    try:
        return _SWITCH[text.strip().lower()]
    except KeyError:
        raise ValueError(f"{text!r} is neither yes nor no") from None


def _whole(text: str) -> int:
    if not re.fullmatch("[+-]?[0-9]{1,18}", text):
        raise ValueError(f"{text!r} is not a whole number")
    return int(text)
