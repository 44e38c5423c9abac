"""Who tells what `rehydrate` found and did."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from sessionkit.errors import ExitCode
from sessionkit.ops.rehydrate import Unsendable

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.errors import SessionkitError
    from sessionkit.ops.rehydrate import Rehydrated


class RehydrateReport(ABC):
    """Tells of one session, in the order of the methods."""

    @abstractmethod
    def refuse(self, result: Unsendable) -> None:
        """Tell everything that stands in the way of a body."""

    @abstractmethod
    def describe(self, result: Rehydrated) -> None:
        """Tell what has to be known of a body before it is written."""

    @abstractmethod
    def close(self, result: Rehydrated, file: Path | None, size: int | None) -> None:
        """Tell what became of it: `size` bytes in a file, or on standard output; None if it was not written."""

    @abstractmethod
    def fail(self, error: SessionkitError, provider: str | None) -> None:
        """Tell in place of the rest that something failed; people read of it on standard error, at the end."""


def verdict(result: Rehydrated | Unsendable) -> ExitCode:
    """How the command exits."""
    if isinstance(result, Unsendable):
        return ExitCode.FAILED
    return ExitCode.FINDINGS if result.verdict.breaches else ExitCode.OK
