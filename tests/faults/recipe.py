"""How a fixture of a fault is made: a recorded session, and a splice or a few."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from tests.faults.workshop import FIXTURES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.faults.workshop import Session

_BOOKS = Path(__file__).parent / "recipes"


@dataclass(frozen=True, slots=True)
class Recipe:
    """A fixture of `fault` in sessions of `format`; `variant` tells several apart. It is cured with `options` of `repair`."""

    format: str
    fault: str
    make: Callable[[], Session]
    variant: str = ""
    options: frozenset[str] = frozenset()

    @property
    def folder(self) -> Path:
        return FIXTURES / "faults" / self.format / "-".join(filter(None, (self.fault, self.variant)))


def recipes() -> list[Recipe]:
    """All recipes: every module in the folder `recipes` has a list RECIPES."""
    modules = (import_module(f"tests.faults.recipes.{path.stem}") for path in sorted(_BOOKS.glob("*.py")))
    return [recipe for module in modules for recipe in module.RECIPES]
