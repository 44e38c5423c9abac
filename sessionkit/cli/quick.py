"""Understand an ordinary command line without typer, whose import takes longer than the work on many a session.

Whatever is not wholly understood, or may be set elsewhere, is left to typer, which knows of that, and what to say of mistakes.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.cli.coercion import convert
from sessionkit.cli.commands import COMMANDS
from sessionkit.cli.config import may_have_settings
from sessionkit.cli.declare import REQUIRED, Origin, command_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sessionkit.cli.declare import Command, Origins, Parameter
    from sessionkit.errors import ExitCode

Understood: TypeAlias = "tuple[dict[str, object], Origins]"
"""The values of a command's parameters, and where they come from."""

_VARIABLES = ("SESSIONKIT_", "_SESSIONKIT_")


def understand(words: list[str]) -> Callable[[], ExitCode] | None:
    """Make the call that a command line means; None if typer has to look at it."""
    if not words or words[0] not in COMMANDS or any(name.startswith(_VARIABLES) for name in os.environ) or may_have_settings():
        return None
    command = command_of(words[0])
    understood = read(command, words[1:])
    return partial(command.call, *understood) if understood else None


def read(command: Command, words: list[str]) -> Understood | None:
    """Read what is said to a command, as typer would; None if anything about it is odd."""
    said: dict[str, list[str | bool]] = {}
    try:
        for parameter, value in _Line(command, words).said():
            said.setdefault(parameter.name, []).append(value)
        values = {parameter.name: _value(parameter, said.get(parameter.name)) for parameter in command.parameters}
    except (LookupError, ValueError):
        return None
    return values, {name: Origin.TYPED if name in said else Origin.DEFAULT for name in values}


class _Line:
    """The words behind a command; LookupError or ValueError where they are odd."""

    def __init__(self, command: Command, words: list[str]) -> None:
        self._options = {name: parameter for parameter in command.parameters for name in (*parameter.names, parameter.negative)}
        self._arguments = [parameter for parameter in command.parameters if not parameter.names]
        self._rest = words[::-1]

    def said(self) -> Iterator[tuple[Parameter, str | bool]]:
        """Parameters, each as often as something is said of it, in this order."""
        while self._rest:
            word = self._rest.pop()
            if word == "--":
                yield from ((self._argument(), word) for word in reversed(self._rest))
                return
            if word.startswith("--"):
                name, equals, value = word.partition("=")
                yield self._option(name, value if equals else None)
            elif word.startswith("-") and word != "-":
                yield self._option(word[:2], word[2:] or None)
            else:
                yield self._argument(), word

    def _argument(self) -> Parameter:
        return self._arguments[0] if self._arguments[0].is_list else self._arguments.pop()

    def _option(self, name: str, attached: str | None) -> tuple[Parameter, str | bool]:
        parameter = self._options[name]
        if parameter.kind is not bool:
            return parameter, self._next() if attached is None else attached
        if attached is not None:  # more switches in the same word
            if name.startswith("--") or attached.startswith("-"):
                raise ValueError(name)
            self._rest.append(f"-{attached}")
        return parameter, name != parameter.negative

    def _next(self) -> str:
        word = self._rest.pop()
        if word.startswith("-") and word != "-":
            raise ValueError(word)  # it may be an option whose value was forgotten
        return word


def _value(parameter: Parameter, said: list[str | bool] | None) -> object:
    """All that was said, or the last of it; else the default, which may be written as a word as well."""
    if said and parameter.is_list:
        return convert(parameter, said)
    value = said[-1] if said else parameter.default
    if value is REQUIRED:
        raise LookupError(parameter.name)
    return None if value is None else convert(parameter, value)
