"""`dataclasses.dataclass` with slots, some six times as fast: a command makes a hundred classes, which took longer than its work.

The standard library compiles up to six functions for a class. Only `__init__` has to be: the others need no more than the names of
the fields. What fields are, `replace`, `fields`, `asdict` and the patterns of `match` are the library's own.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, FrozenInstanceError
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from dataclasses import Field, dataclass

    Values: TypeAlias = Callable[[object], tuple[object, ...]]
else:

    def dataclass(*, slots: bool, frozen: bool = False) -> Callable[[type], type]:
        """Make a class of fields; a frozen one keeps them as they are, and can be hashed. Without slots there is none."""
        assert slots
        return _make_frozen if frozen else _make


def _make(cls: type) -> type:
    made = _with_fields(cls)
    compared = _values_of(field for field in dataclasses.fields(made) if field.compare)
    return _with_methods(made, __init__=_init(made, "self.{0} = {0}"), __eq__=_eq(compared), __hash__=None, __repr__=_repr)


def _make_frozen(cls: type) -> type:
    made = _with_fields(cls)
    values = _values_of(dataclasses.fields(made))
    compared = _values_of(field for field in dataclasses.fields(made) if field.compare)
    return _with_methods(
        made,
        __init__=_init(made, "set_{0}(self, {0})"),
        __eq__=_eq(compared),
        __hash__=lambda self: hash(compared(self)),
        __repr__=_repr,
        __setattr__=_refuse,
        __delattr__=_refuse,
        __reduce__=lambda self: (type(self), values(self)),
    )


def _with_fields(cls: type) -> Any:  # noqa: ANN401  a class of data, for which there is no type
    cls.__doc__ = cls.__doc__ or cls.__name__  # else the library would write one, for which it takes its time
    return dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)


def _with_methods(cls: type, **methods: object) -> type:
    """Add methods, but for those that the class has of its own."""
    for name, method in methods.items():
        if name not in vars(cls):
            setattr(cls, name, method)
    return cls


def _values_of(fields: Iterable[Field[object]]) -> Values:
    """Make the function that gives the values of fields."""
    names = [field.name for field in fields]
    return attrgetter(*names) if len(names) > 1 else lambda self: tuple(getattr(self, name) for name in names)


def _init(cls: Any, setting: str) -> Callable[..., None]:  # noqa: ANN401
    """Compile `__init__` when the first value is made: most classes of a run never have one."""

    def __init__(self: object, *values: object, **named: object) -> None:  # noqa: N807
        cls.__init__ = _compile(cls, setting)
        cls.__init__(self, *values, **named)

    return __init__


def _compile(cls: Any, setting: str) -> object:  # noqa: ANN401
    """Write `__init__`. To set a slot by its descriptor is twice as fast as the way around `__setattr__` that the library takes."""
    known: dict[str, object] = {"MISSING": MISSING}
    parameters, lines = ["self"], []
    for field in dataclasses.fields(cls):
        name = field.name
        known |= {f"set_{name}": getattr(cls, name).__set__, f"default_{name}": field.default, f"make_{name}": field.default_factory}
        is_made = field.default_factory is not MISSING
        has_default = is_made or field.default is not MISSING
        parameters.append(f"{name}=default_{name}" if has_default else name)
        lines += [f"if {name} is MISSING: {name} = make_{name}()"] if is_made else []
        lines.append(setting.format(name))
    lines += ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines or ["pass"]), known)  # noqa: S102  as the library does
    return known["__init__"]


def _eq(values: Values) -> Callable[[object, object], bool]:
    return lambda self, other: values(self) == values(other) if type(self) is type(other) else NotImplemented


def _repr(self: Any) -> str:  # noqa: ANN401
    fields = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self))
    return f"{type(self).__qualname__}({fields})"


def _refuse(_self: object, name: str, *_value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")
