"""What a command line can say, in words of our own: commands declare it, `quick.py` reads it, and `translation.py` tells it to typer."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from importlib import import_module
from types import UnionType
from typing import TYPE_CHECKING, Any, TypeAlias

from sessionkit.cli.aliases import alias_of
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from sessionkit.errors import ExitCode

REQUIRED: Any = object()
"""The default of a parameter that has none."""


class Origin(IntEnum):
    """Where the value of a parameter comes from: the first that says something counts."""

    TYPED = 0
    ENVIRONMENT = 1
    FILE = 2
    DEFAULT = 3


Origins: TypeAlias = Mapping[str, Origin]
"""Where the values of all parameters of a command come from, by the names of the parameters."""


class Option:
    """A value, or a switch, that is said by one of its names, the last of which is the long one.

    A switch is switched off by `negative`, or without one by `--no-…`, which the help leaves out. `parser` makes a value of a word,
    or raises ValueError.
    """

    def __init__(  # noqa: PLR0913  each is a word of the declaration
        self,
        *names: str,
        help: str,  # noqa: A002  as everybody calls it
        negative: str = "",
        metavar: str | None = None,
        min: int | None = None,  # noqa: A002
        parser: Callable[[str], Any] | None = None,
        show_default: bool = True,
    ) -> None:
        self.names = names
        self.help = help
        self.negative = negative
        self.metavar = metavar
        self.min = min
        self.parser = parser
        self.show_default = show_default


class Argument(Option):
    """A word without a name, or several."""

    def __init__(self, *, metavar: str, help: str) -> None:  # noqa: A002
        super().__init__(metavar=metavar, help=help)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a command's function; `kind` is the type of its value, or of each if it `is_list`."""

    name: str
    annotation: Any
    default: Any
    kind: Any
    is_list: bool
    declared: Option

    @property
    def names(self) -> tuple[str, ...]:
        """All names, with the one that agents have for it."""
        alias = next(filter(None, map(alias_of, self.declared.names)), None)
        return (*self.declared.names, alias) if alias else self.declared.names

    @property
    def negative(self) -> str:
        """The name that switches it off; empty if it is no switch."""
        return self.declared.negative or (f"--no-{self.declared.names[-1].removeprefix('--')}" if self.kind is bool else "")


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its function, and what can be said to it."""

    module: ModuleType
    function: Callable[..., ExitCode]
    parameters: tuple[Parameter, ...]

    def call(self, values: Mapping[str, object], origins: Origins) -> ExitCode:
        """Run it; some want to know where the values come from."""
        return self.function(origins, **values) if self.function.__code__.co_argcount else self.function(**values)


def command_of(name: str) -> Command:
    """Import a command, and read the declarations at the parameters of its function."""
    module = import_module(f"sessionkit.cli.commands.{name}")
    function = getattr(module, name)
    names = [each for each in function.__annotations__ if each not in {"origins", "return"}]
    written = ",".join(function.__annotations__[each] for each in names)
    annotations = eval(f"({written},)", vars(module))  # noqa: S307  our own; `typing` would do so too, one by one
    defaults = function.__kwdefaults__
    parameters = (_parameter(each, annotation, defaults.get(each, REQUIRED)) for each, annotation in zip(names, annotations, strict=True))
    return Command(module, function, tuple(parameters))


def _parameter(name: str, annotation: Any, default: object) -> Parameter:  # noqa: ANN401  what stands at a parameter has no type
    kind = annotation.__origin__
    if isinstance(kind, UnionType):  # the other one is None
        kind = kind.__args__[0]
    is_list = getattr(kind, "__origin__", None) is list
    return Parameter(name, annotation.__origin__, default, kind.__args__[0] if is_list else kind, is_list, *annotation.__metadata__)
