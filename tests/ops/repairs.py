"""Repair sessions as the command does, and look at what stands beside them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sessionkit.core.files import Durability
from sessionkit.ops.batch import Batch
from sessionkit.ops.failed import Failed
from sessionkit.ops.repair import Options, Plan, Repaired, Undone, UndoPlan
from sessionkit.ops.sources import Descent, find_sources
from sessionkit.ops.targets import InPlace, plan_transfers
from sessionkit.ops.writing import Effect, Writing
from tests.faults.workshop import Session
from tests.ops.runs import write

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.errors import SessionkitError
    from sessionkit.ops.targets import Destination

QUICK = Writing(durability=Durability.NO_SYNC)
DRY = Writing(Effect.REHEARSE)
IN_PLACE = InPlace()
ONCE = Batch()
STAMP = "20260601T120000Z"


def noon() -> datetime:
    """The time of every repair here."""
    return datetime(2026, 6, 1, 12, tzinfo=UTC)


def options(**given: object) -> Options:
    return Options(**{"writing": QUICK, "clock": noon, **given})  # type: ignore[arg-type]


CURE = options()


def wrong_label(case: str = "claude-code/session", number: int = 1) -> Session:
    """A recorded session with a JPEG that it calls a PNG."""
    session = Session.recorded(case)
    return session.with_label(number, "image/webp" if session.picture(number)[0].media.media_type == "image/png" else "image/png")


def truncated(case: str = "claude-code/session", number: int = 0) -> Session:
    """A recorded session with a picture that ends too early."""
    session = Session.recorded(case)
    return session.with_text(number, session.picture(number)[0].text[:1000])


def stored(folder: Path, session: Session | bytes, name: str = "session.jsonl") -> Path:
    """Write a session that nobody has touched for an hour."""
    return write(folder / name, session if isinstance(session, bytes) else session.content)


def mislabelled(folder: Path) -> Path:
    """Write one of Claude Code's that only its owner changes, in which one label is wrong."""
    path = stored(folder, wrong_label())
    path.chmod(0o640)
    return path


def tried(path: Path, how: Options = CURE, to: Destination = IN_PLACE, batch: Batch = ONCE) -> Repaired | Failed:
    (result,) = Plan(tuple(plan_transfers(find_sources([str(path)], Descent.REFUSE_FOLDERS), to)), how).run(batch)
    return result


def repaired(path: Path, how: Options = CURE, to: Destination = IN_PLACE, batch: Batch = ONCE) -> Repaired:
    result = tried(path, how, to, batch)
    assert isinstance(result, Repaired), result
    return result


def refused(path: Path, how: Options = CURE, to: Destination = IN_PLACE) -> SessionkitError:
    result = tried(path, how, to)
    assert isinstance(result, Failed), result
    return result.error


def undone(path: Path, writing: Writing = QUICK) -> Undone:
    result = undo_tried(path, writing)
    assert isinstance(result, Undone), result
    return result


def undo_tried(path: Path, writing: Writing = QUICK) -> Undone | Failed:
    (result,) = UndoPlan(tuple(find_sources([str(path)], Descent.REFUSE_FOLDERS)), writing).run(Batch())
    return result


def cured(result: Repaired) -> list[str]:
    return [treated.finding.fault for treated in result.prognosis.treated]


def backup(path: Path, stamp: str = STAMP) -> Path:
    return path.with_name(f"{path.name}.repair-{stamp}.bak")


def journal(path: Path, stamp: str = STAMP) -> Path:
    return path.with_name(f"{path.name}.repair-{stamp}.json")
