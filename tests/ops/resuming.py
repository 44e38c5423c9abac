"""Batches of three sessions, which can be broken off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.core.files import Durability
from sessionkit.ops import migrate, restore
from sessionkit.ops.batch import Batch
from sessionkit.ops.failed import Failed
from sessionkit.ops.resume.plan import Resumption
from sessionkit.ops.targets import Mirror
from sessionkit.ops.writing import Writing
from tests.ops.runs import message, png, text, transfers, write

if TYPE_CHECKING:
    from pathlib import Path

QUICK = migrate.Options(writing=Writing(durability=Durability.NO_SYNC))
NAMES = ("a", "b", "c")


def furnished(folder: Path) -> Path:
    """Fill a folder: three sessions with pictures, two of them the same, and the sessions as they are when they are spilled."""
    for number, name in enumerate(NAMES):
        write(folder / "inline" / f"{name}.jsonl", message(png(number), png(number + 1)) + text(2000))
    list(migrate.Plan(transfers([folder / "inline"], Mirror(folder / "spilled")), QUICK).run(Batch()))
    return folder


def plans(home: Path) -> dict[str, Any]:
    return {
        "migrate": migrate.Plan(transfers([home / "inline"], Mirror(home / "out")), QUICK),
        "restore": restore.Plan(transfers([home / "spilled"], Mirror(home / "out")), restore.Options(writing=QUICK.writing)),
    }


def resumed(home: Path, name: str = "migrate", plan: Any = None, batch: Batch | None = None) -> list[Any]:  # noqa: ANN401
    return list(Resumption(plan or plans(home)[name], home / "journal").run(batch or Batch()))


def outcomes(results: list[Any]) -> str:
    """First letter of what became of each session."""
    return "".join("F" if isinstance(result, Failed) else result.outcome.name[0] for result in results)


def half_done(home: Path, plan: Any = None, most: int = 2) -> None:  # noqa: ANN401
    """Do two of the sessions, and break off in the midst of the third."""
    begun = []

    def tick(size: int) -> None:
        begun.append(size)
        if len(begun) > most:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        resumed(home, plan=plan, batch=Batch(progress=tick))
