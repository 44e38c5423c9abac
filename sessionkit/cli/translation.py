"""Our declarations in typer's words."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sessionkit.cli.aliases import in_capitals
from sessionkit.cli.coercion import convert
from sessionkit.cli.declare import REQUIRED, Origin
from sessionkit.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable

    from typer.core import TyperArgument, TyperOption

    from sessionkit.cli.declare import Command, Parameter

NAME = "sessionkit"

_ORIGINS = {"COMMANDLINE": Origin.TYPED, "ENVIRONMENT": Origin.ENVIRONMENT, "DEFAULT_MAP": Origin.FILE, "DEFAULT": Origin.DEFAULT}


class Coercion:
    """Stands in a parameter of typer for its own coercion; typer's own parameters are switches, which need none."""

    def __init__(self, parameter: Parameter | None) -> None:
        self._parameter = parameter

    def coerce(self, value: Any, param: TyperOption | TyperArgument, ctx: typer.Context) -> Any:  # noqa: ANN401  typer's signature
        """Convert a value, or each of several; typer.BadParameter."""
        if value is None or self._parameter is None:
            return value
        try:
            return convert(self._parameter, value)
        except ValueError as error:
            origin = " (from the environment)" if origin_of(ctx, self._parameter.name) is Origin.ENVIRONMENT else ""
            raise typer.BadParameter(f"{error}{origin}", ctx=ctx, param=param) from error


def function_for(name: str, command: Command) -> Callable[..., ExitCode]:
    """Make the function of a command as typer wants to have it: it reads what it needs in the signature."""

    def call(context: typer.Context, **values: object) -> ExitCode:
        return command.call(values, {each: origin_of(context, each) for each in values})

    parameters = [_parameter(name, each) for each in command.parameters]
    context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    call.__signature__ = inspect.Signature([context, *parameters])  # type: ignore[attr-defined]
    call.__doc__ = command.function.__doc__
    return call


def origin_of(context: typer.Context, name: str) -> Origin:
    """Where the value of a parameter comes from."""
    source = context.get_parameter_source(name)
    return _ORIGINS[source.name] if source else Origin.DEFAULT


def _parameter(command: str, told: Parameter) -> inspect.Parameter:
    info = _option(command, told) if told.names else typer.Argument(metavar=told.declared.metavar, help=told.declared.help)
    default = inspect.Parameter.empty if told.default is REQUIRED else told.default
    return inspect.Parameter(told.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[told.annotation, info])


def _option(command: str, told: Parameter) -> Any:  # noqa: ANN401  typer does not export the type
    """Tell typer all names of an option, and of its variables: those for one command, and those for all."""
    declared = told.declared
    *others, long = declared.names
    alias = told.names[len(declared.names) :]
    words = [in_capitals(name) for name in (long, *alias)]
    return typer.Option(
        *(*others, f"{long}/{told.negative}" if told.negative else long, *alias),
        help=declared.help,
        metavar=declared.metavar,
        min=declared.min,
        parser=declared.parser,
        show_default=declared.show_default,
        envvar=[f"{NAME}_{part}{word}".upper() for word in words for part in (f"{command}_", "")],
        show_envvar=False,
    )
