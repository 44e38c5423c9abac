"""Turn words of a command line, of the environment or of a settings file into the values of options.

typer would do it with pydantic, whose import takes longer than typer's own and 14 MB in every worker process.
"""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

import typer

if TYPE_CHECKING:
    from typer.core import TyperArgument, TyperOption

_SWITCH = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False, "": False}

_is_whole = re.compile(r"[+-]?[0-9]{1,18}").fullmatch


class Coercion:
    """Stands in a parameter of typer for its own coercion."""

    def coerce(self, value: Any, param: TyperOption | TyperArgument, ctx: typer.Context) -> Any:  # noqa: ANN401  typer's signature
        """Convert a value, or each of several; typer.BadParameter."""
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        try:
            return convert(param, value)
        except ValueError as error:
            source = ctx.get_parameter_source(param.name or "")
            origin = " (from the environment)" if source and source.name == "ENVIRONMENT" else ""
            raise typer.BadParameter(f"{error}{origin}", ctx=ctx, param=param) from error


def convert(param: TyperOption | TyperArgument, value: object) -> object:
    """Convert a value to a parameter's type. Raises ValueError, which says what the value should be."""
    annotation: Any = param.type_descriptor.annotation
    info = param.type_descriptor.parameter_info
    if isinstance(value, list | tuple):
        return [info.parser(item) if info.parser else _convert_one(get_args(annotation)[0], item) for item in value]
    if "\0" in str(value):
        raise ValueError("it holds a NUL byte")
    converted = info.parser(str(value)) if info.parser else _convert_one(annotation, value)
    if info.min is not None and converted < info.min:
        raise ValueError(f"{value} is less than {info.min}")
    return converted


def is_list(param: TyperOption | TyperArgument) -> bool:
    """Whether a parameter takes several values."""
    annotation: Any = param.type_descriptor.annotation
    return get_origin(annotation) is list


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
    if not _is_whole(text):
        raise ValueError(f"{text!r} is not a whole number")
    return int(text)
