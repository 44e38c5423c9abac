"""Our `dataclass` makes what the standard library's makes, as far as anybody can see."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import pytest

import sessionkit.dataclass as ours

Library: TypeAlias = Any
"""A module with `dataclass`, `field`, `fields` and `replace`: ours, or the standard one."""
Class: TypeAlias = Callable[..., Any]


@ours.dataclass(frozen=True, slots=True)
class Stamp:
    """At the top of a module, so that it can be pickled."""

    time: int
    zone: str = "UTC"


@ours.dataclass(slots=True)
class Pile:
    items: list[int] = ours.field(default_factory=list)
    size: int = 0


def frozen(library: Library) -> Class:
    @library.dataclass(frozen=True, slots=True)
    class Point:
        """A place."""

        unit: ClassVar[str] = "mm"
        x: int
        y: int = 2
        tags: list[str] = library.field(default_factory=list)
        seen: int = library.field(default=0, compare=False)

        def __post_init__(self) -> None:
            if self.x < 0:
                raise ValueError(self.x)

    return Point


def open_(library: Library) -> Class:
    @library.dataclass(slots=True)
    class Point:
        x: int
        y: int = 2
        tags: list[str] = library.field(default_factory=list)
        seen: int = library.field(default=0, compare=False)

    return Point


def inheriting(library: Library) -> Class:
    @library.dataclass(frozen=True, slots=True)
    class Base(ABC):
        x: int = 1

        @abstractmethod
        def name(self) -> str: ...

    @library.dataclass(frozen=True, slots=True)
    class Point(Base):
        y: int = 2
        tags: tuple[str, ...] = ()
        seen: int = library.field(default=0, compare=False)

        def name(self) -> str:
            return "point"

        def __repr__(self) -> str:
            return f"<{self.x}>"

    return Point


def empty(library: Library) -> Class:
    @library.dataclass(frozen=True, slots=True)
    class Point:
        pass

    return Point


def roomy(library: Library) -> Class:
    @library.dataclass(frozen=True)
    class Point:
        x: int
        y: int = 2
        tags: list[str] = library.field(default_factory=list)
        seen: int = library.field(default=0, compare=False)

        @cached_property
        def sum(self) -> list[int]:
            return [self.x, self.y]

    return Point


USES: dict[str, Callable[[Class], object]] = {
    "shown": lambda make: repr(make(1)),
    "by name": lambda make: repr(make(y=3, x=1)),
    "fields": lambda make: [(each.name, each.type) for each in dataclasses.fields(make(1))],
    "is one": lambda make: (dataclasses.is_dataclass(make), dataclasses.is_dataclass(make(1))),
    "replaced": lambda make: repr(dataclasses.replace(make(1), y=5)),
    "replaced by what is unknown": lambda make: dataclasses.replace(make(1), z=5),
    "as a dict": lambda make: dataclasses.asdict(make(1)),
    "positions in patterns": lambda make: make.__match_args__,  # type: ignore[attr-defined]
    "without a dict": lambda make: hasattr(make(1), "__dict__"),
    "equal": lambda make: make(1) == make(1),
    "different": lambda make: make(1) == make(1, 3),
    "not compared": lambda make: make(1, seen=1) == make(1, seen=2),
    "of another class": lambda make: make(1) == (1, 2, (), 0),
    "read twice": lambda make: make(1).sum is make(1).sum,
    "cached": lambda make: (value := make(1)).sum is value.sum,
    "made for each": lambda make: make(1).tags is make(1).tags,
    "copied": lambda make: (copy.copy(make(1)) == make(1), copy.deepcopy(make(1)) == make(1)),
    "hashed": lambda make: len({make(1, tags=()), make(1, tags=(), seen=3)}),
    "set": lambda make: setattr(make(1), "x", 4),
    "deleted": lambda make: delattr(make(1), "x"),
    "unknown": lambda make: repr(make(1, z=1)),
    "too many": lambda make: repr(make(1, 2, [], 0, 0)),
    "twice": lambda make: repr(make(1, x=1)),
    "too few": lambda make: repr(make()),
    "refused": lambda make: repr(make(-1)),
}


def outcome(use: Callable[[Class], object], made: Class) -> object:
    try:
        return use(made)
    except (TypeError, ValueError, AttributeError) as error:
        return type(error)


@pytest.mark.parametrize("before", [0, 100], ids=["first", "later"])
@pytest.mark.parametrize("make", [frozen, open_, inheriting, roomy], ids=["frozen", "open", "inheriting", "roomy"])
@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_does_what_the_library_does(before: int, make: Callable[[Library], Class], use: Callable[[Class], object]) -> None:
    made = make(ours)
    for number in range(before):
        assert made(number).x == number
    assert outcome(use, made) == outcome(use, make(dataclasses))


@pytest.mark.parametrize("library", [ours, dataclasses], ids=["ours", "the library's"])
@pytest.mark.parametrize("make", [frozen, open_, inheriting, roomy], ids=["frozen", "open", "inheriting", "roomy"])
def test_functions(library: Library, make: Callable[[Library], Class]) -> None:
    made = make(library)
    assert [each.name for each in library.fields(made)] == [each.name for each in library.fields(made(1))] == ["x", "y", "tags", "seen"]
    assert repr(library.replace(made(1), y=5, seen=3)) == repr(made(1, 5, seen=3))
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        library.replace(made(1), z=5)


@pytest.mark.parametrize("library", [ours, dataclasses], ids=["ours", "the library's"])
def test_the_library_builds_on_them(library: Library) -> None:
    @dataclasses.dataclass(frozen=True)
    class Place(frozen(library)):  # type: ignore[misc]
        name: str = "here"

    assert [each.name for each in dataclasses.fields(Place)] == ["x", "y", "tags", "seen", "name"]
    assert dataclasses.replace(Place(1), name="there") == Place(1, name="there") != Place(1)


@pytest.mark.parametrize("default", [[], dataclasses.field(default=1)], ids=["a list", "a field of the library"])
def test_no_default(default: object) -> None:
    with pytest.raises(ValueError, match="default_factory"):

        @ours.dataclass(slots=True)
        class Point:
            x: object = default


def test_a_class_without_fields() -> None:
    made = empty(ours)
    assert made() == made()
    assert len({made(), made()}) == 1
    assert repr(made()) == repr(empty(dataclasses)())


@pytest.mark.parametrize("value", [Stamp(1), Stamp(2, "CET"), Pile([3], 1)], ids=repr)
def test_crosses_processes(value: object) -> None:
    assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301  our own bytes


@pytest.mark.parametrize("before", [0, 100])
def test_help_knows_the_parameters(before: int) -> None:
    @ours.dataclass(frozen=True, slots=True)
    class Parts:
        name: str
        sizes: list[int] = ours.field(default_factory=list)
        last: int = 3

    for _ in range(before):
        Parts("a")
    assert str(inspect.signature(Parts)) == "(name: 'str', sizes: 'list[int]' = <factory>, last: 'int' = 3) -> None"


def test_frozen_is_told_as_the_library_tells_it() -> None:
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'time'"):
        Stamp(1).time = 2  # type: ignore[misc]
