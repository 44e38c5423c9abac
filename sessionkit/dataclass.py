"""`dataclasses` with slots, without the library: its import and what it compiles for a hundred classes took longer than a command's work.

The library compiles up to six functions for a class. Only `__init__` has to be, and only where a value is made: the others need
no more than the names of the fields. The library's own functions (`fields`, `asdict`, `is_dataclass`, …) take these classes too.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

__all__ = ["dataclass", "field", "fields", "replace"]

_MISSING: Any = object()
_FEW = 8
"""Values of a class that take less time to fill than a function to compile."""

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from dataclasses import dataclass, field, fields, replace

    Values: TypeAlias = Callable[[object], tuple[object, ...]]
else:

    def dataclass(*, slots: bool = False, frozen: bool = False) -> Callable[[type], type]:
        """Make a class of fields; a frozen one keeps them as they are, and can be hashed. Without `slots` values have room for more."""
        room = () if slots else ("__dict__",)
        make = _make_frozen if frozen else _make
        return lambda cls: make(_with_fields(cls, room))

    def field(*, default: object = _MISSING, default_factory: object = _MISSING, compare: bool = True) -> _Field:
        """Say more of a field than its default."""
        return _Field(default, default_factory, compare)

    def fields(value: type) -> tuple[_Field, ...]:
        """Fields of a class or a value."""
        return value.__fields__

    def replace(value: object, /, **changes: object) -> object:
        """Make a value that differs."""
        kept = {field.name: getattr(value, field.name) for field in value.__fields__ if field.name not in changes}
        return type(value)(**kept, **changes)


class _Field:
    """A field; its name and type are known when its class is."""

    __slots__ = ("compare", "default", "default_factory", "name", "type")
    name: str
    type: object

    def __init__(self, default: object, default_factory: Any = _MISSING, compare: bool = True) -> None:  # noqa: ANN401, FBT001, FBT002  the library's
        self.default = default
        self.default_factory = default_factory
        self.compare = compare

    def made(self) -> object:
        """Make a default."""
        return self.default if self.default_factory is _MISSING else self.default_factory()


class _Twin:
    """An attribute that the library's functions ask a class for; it is copied from a class that the library makes when one asks."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, _value: object, cls: Any) -> object:  # noqa: ANN401  a class of data, for which there is no type
        import dataclasses  # noqa: PLC0415  it takes longer than all of ours, and nobody in a run may ask
        import inspect  # noqa: PLC0415  the same

        told = ("default", "default_factory", "compare")
        given = [
            (each.name, each.type, dataclasses.field(**{key: value for key in told if (value := getattr(each, key)) is not _MISSING}))
            for each in cls.__fields__
        ]
        twin = dataclasses.make_dataclass(cls.__name__, given, frozen=cls.__setattr__ is _refuse)
        found = inspect.signature(twin) if self._name == "__signature__" else getattr(twin, self._name)
        setattr(cls, self._name, found)
        return found


_TWINS = {name: _Twin(name) for name in ("__dataclass_fields__", "__dataclass_params__", "__signature__")}


def _make(cls: type) -> type:
    return _with_methods(cls, __init__=_init(cls, "self.{0} = {0}"), __eq__=_eq(_compared(cls)), __hash__=None, __repr__=_repr)


def _make_frozen(cls: Any) -> type:  # noqa: ANN401
    values = _values_of(cls.__fields__)
    compared = _compared(cls)
    return _with_methods(
        cls,
        __init__=_init(cls, "set_{0}(self, {0})"),
        __eq__=_eq(compared),
        __hash__=lambda self: hash(compared(self)),
        __repr__=_repr,
        __setattr__=_refuse,
        __delattr__=_refuse,
        __reduce__=lambda self: (type(self), values(self)),
    )


def _with_fields(cls: type, room: tuple[str, ...]) -> type:
    """Make the class anew: slots are part of how a class is made."""
    known = {field.name: field for base in reversed(cls.__mro__[1:]) for field in vars(base).get("__fields__", ())}
    taken = {slot for base in cls.__mro__ for slot in vars(base).get("__slots__", ())}
    known |= {name: _field(cls, name, kind) for name, kind in cls.__annotations__.items() if not _is_of_class(kind)}
    body = {name: value for name, value in vars(cls).items() if name not in known and name not in {"__dict__", "__weakref__"}}
    slots = tuple(name for name in (*known, *room) if name not in taken)
    own = {"__fields__": tuple(known.values()), "__slots__": slots, "__qualname__": cls.__qualname__}
    return type(cls)(cls.__name__, cls.__bases__, {"__match_args__": tuple(known), **body, **_TWINS, **own})


def _is_of_class(kind: object) -> bool:
    return str(kind).removeprefix("typing.").startswith("ClassVar")


def _field(cls: type, name: str, kind: object) -> _Field:
    default = vars(cls).get(name, _MISSING)
    made = default if isinstance(default, _Field) else _Field(default)
    if type(default).__module__ == "dataclasses" or type(made.default).__hash__ is None:
        raise ValueError(f"{cls.__qualname__}.{name}: no default can be {default!r}; `field` of this module takes a default_factory")
    made.name, made.type = name, kind
    return made


def _with_methods(cls: type, **methods: object) -> type:
    """Add methods, but for those that the class has of its own."""
    for name, method in methods.items():
        if name not in vars(cls):
            setattr(cls, name, method)
    return cls


def _compared(cls: Any) -> Values:  # noqa: ANN401
    return _values_of(field for field in cls.__fields__ if field.compare)


def _values_of(fields: Iterable[_Field]) -> Values:
    """Make the function that gives the values of fields."""
    names = [field.name for field in fields]
    return attrgetter(*names) if len(names) > 1 else lambda self: tuple(getattr(self, name) for name in names)


def _init(cls: Any, setting: str) -> Callable[..., None]:  # noqa: ANN401
    """Set fields one by one at first, and compile `__init__` for classes of many values: most classes of a run have few, or none."""
    few = iter(range(_FEW))

    def __init__(self: object, *values: object, **named: object) -> None:  # noqa: N807
        if next(few, None) is None or not _fill(cls, self, values, named):
            cls.__init__ = _compile(cls, setting)
            cls.__init__(self, *values, **named)

    return __init__


def _fill(cls: Any, made: Any, values: tuple[object, ...], named: dict[str, object]) -> bool:  # noqa: ANN401
    """Set the fields of a value; False if an argument is missing or too much, of which the compiled function will tell."""
    rest = {field.name: field for field in cls.__fields__[len(values) :]}
    given = (*values, *(named[name] if name in named else field.made() for name, field in rest.items()))
    if len(given) > len(cls.__fields__) or not named.keys() <= rest.keys() or any(value is _MISSING for value in given):
        return False
    for field, value in zip(cls.__fields__, given, strict=True):
        getattr(cls, field.name).__set__(made, value)
    if hasattr(cls, "__post_init__"):
        made.__post_init__()
    return True


def _compile(cls: Any, setting: str) -> object:  # noqa: ANN401
    """Write `__init__`. To set a slot by its descriptor is twice as fast as the way around `__setattr__` that the library takes."""
    known: dict[str, object] = {"MISSING": _MISSING}
    parameters, lines = ["self"], []
    for field in cls.__fields__:
        name = field.name
        known |= {f"set_{name}": getattr(cls, name).__set__, f"default_{name}": field.default, f"make_{name}": field.default_factory}
        is_made = field.default_factory is not _MISSING
        has_default = is_made or field.default is not _MISSING
        parameters.append(f"{name}=default_{name}" if has_default else name)
        lines += [f"if {name} is MISSING: {name} = make_{name}()"] if is_made else []
        lines.append(setting.format(name))
    lines += ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines or ["pass"]), known)  # noqa: S102  as the library does
    return known["__init__"]


def _eq(values: Values) -> Callable[[object, object], bool]:
    return lambda self, other: values(self) == values(other) if type(self) is type(other) else NotImplemented


def _repr(self: Any) -> str:  # noqa: ANN401
    shown = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in self.__fields__)
    return f"{type(self).__qualname__}({shown})"


def _refuse(_self: object, name: str, *_value: object) -> NoReturn:
    from dataclasses import FrozenInstanceError  # noqa: PLC0415  of the library, as long as nobody tries

    raise FrozenInstanceError(f"cannot assign to field {name!r}")
