"""Our `dataclass` makes what the standard library's makes, as far as anybody can see."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from typing import Any, ClassVar, TypeAlias

import pytest

import sessionkit.dataclass as ours

Decorator: TypeAlias = Callable[..., Any]
Class: TypeAlias = Callable[..., Any]


@ours.dataclass(frozen=True, slots=True)
class Stamp:
    """At the top of a module, so that it can be pickled."""

    time: int
    zone: str = "UTC"


@ours.dataclass(slots=True)
class Pile:
    items: list[int] = field(default_factory=list)
    size: int = 0


def frozen(dataclass: Decorator) -> Class:
    @dataclass(frozen=True, slots=True)
    class Point:
        """A place."""

        unit: ClassVar[str] = "mm"
        x: int
        y: int = 2
        tags: list[str] = field(default_factory=list)
        seen: int = field(default=0, compare=False)

        def __post_init__(self) -> None:
            if self.x < 0:
                raise ValueError(self.x)

    return Point


def open_(dataclass: Decorator) -> Class:
    @dataclass(slots=True)
    class Point:
        x: int
        y: int = 2
        tags: list[str] = field(default_factory=list)
        seen: int = field(default=0, compare=False)

    return Point


def inheriting(dataclass: Decorator) -> Class:
    @dataclass(frozen=True, slots=True)
    class Base(ABC):
        x: int = 1

        @abstractmethod
        def name(self) -> str: ...

    @dataclass(frozen=True, slots=True)
    class Point(Base):
        y: int = 2
        tags: tuple[str, ...] = ()
        seen: int = field(default=0, compare=False)

        def name(self) -> str:
            return "point"

        def __repr__(self) -> str:
            return f"<{self.x}>"

    return Point


def empty(dataclass: Decorator) -> Class:
    @dataclass(frozen=True, slots=True)
    class Point:
        pass

    return Point


USES: dict[str, Callable[[Class], object]] = {
    "shown": lambda make: repr(make(1)),
    "by name": lambda make: repr(make(y=3, x=1)),
    "fields": lambda make: [each.name for each in dataclasses.fields(make(1))],
    "replaced": lambda make: repr(dataclasses.replace(make(1), y=5)),
    "as a dict": lambda make: dataclasses.asdict(make(1)),
    "positions in patterns": lambda make: make.__match_args__,  # type: ignore[attr-defined]
    "without a dict": lambda make: hasattr(make(1), "__dict__"),
    "equal": lambda make: make(1) == make(1),
    "different": lambda make: make(1) == make(1, 3),
    "not compared": lambda make: make(1, seen=1) == make(1, seen=2),
    "of another class": lambda make: make(1) == (1, 2, (), 0),
    "made for each": lambda make: make(1).tags is make(1).tags,
    "copied": lambda make: (copy.copy(make(1)) == make(1), copy.deepcopy(make(1)) == make(1)),
    "hashed": lambda make: len({make(1, tags=()), make(1, tags=(), seen=3)}),
    "set": lambda make: setattr(make(1), "x", 4),
    "deleted": lambda make: delattr(make(1), "x"),
    "unknown": lambda make: repr(make(1, z=1)),
    "too few": lambda make: repr(make()),
    "refused": lambda make: repr(make(-1)),
}


def outcome(use: Callable[[Class], object], made: Class) -> object:
    try:
        return use(made)
    except (TypeError, ValueError, AttributeError) as error:
        return type(error)


@pytest.mark.parametrize("make", [frozen, open_, inheriting], ids=["frozen", "open", "inheriting"])
@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_does_what_the_library_does(make: Callable[[Decorator], Class], use: Callable[[Class], object]) -> None:
    assert outcome(use, make(ours.dataclass)) == outcome(use, make(dataclasses.dataclass))


def test_a_class_without_fields() -> None:
    made = empty(ours.dataclass)
    assert made() == made()
    assert len({made(), made()}) == 1
    assert repr(made()) == repr(empty(dataclasses.dataclass)())


@pytest.mark.parametrize("value", [Stamp(1), Stamp(2, "CET"), Pile([3], 1)], ids=repr)
def test_crosses_processes(value: object) -> None:
    assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301  our own bytes


def test_frozen_is_told_as_the_library_tells_it() -> None:
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'time'"):
        Stamp(1).time = 2  # type: ignore[misc]
