"""The lock of a store is let go of when the session that names its assets has its name, and not before."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.system.scenes import SCENES
from tests.system.sessions import SPILLED, do, image_line, png, write_session
from tests.system.strace import run_traced

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Command = tuple[str | Path, ...]

FAULTS = SPILLED.parents[1] / "faults" / "pi"

pytestmark = pytest.mark.system


def migrate_out(root: Path) -> Command:
    return SCENES["migrate --out"](root).command


def migrate_in_place(root: Path) -> Command:
    return SCENES["migrate --in-place"](root).command


def restore_elsewhere(root: Path) -> Command:
    """A session whose agent keeps images in files, which go along."""
    shutil.copytree(SPILLED / "images", root / "images")
    write_session(root / "session.jsonl", (SPILLED / "session.jsonl").read_bytes() + image_line(png(1)))
    do("migrate", root / "session.jsonl", "--in-place")
    return ("restore", root / "session.jsonl", "--out", root / "restored")


def repair(root: Path) -> Command:
    session = write_session(root / "session.jsonl", (FAULTS / "undecodable-image-truncated" / "bad.jsonl").read_bytes())
    return ("repair", session, "--apply")


@pytest.mark.parametrize("stage", [migrate_out, migrate_in_place, restore_elsewhere, repair])
def test_the_lock_is_held_from_the_first_asset_to_the_session(tmp_path: Path, stage: Callable[[Path], Command]) -> None:
    root = tmp_path.resolve() / "root"
    root.mkdir()
    calls = run_traced(stage(root), root).calls
    steps = [step for call in calls for step in (step_of(call.name, call.target),) if step]
    held = steps[: steps.index("unlock")]
    assert (held[0], held[-1]) == ("lock", "session")
    assert "asset" in held
    assert not {"asset", "session"} & set(steps[len(held) :])
    assert list(root.rglob(".lock")) == []


def step_of(name: str, target: str) -> str:
    match name, target.rpartition("/"):
        case "openat", (_, _, ".lock"):
            return "lock"
        case (("unlink" | "unlinkat" | "ftruncate"), (_, _, ".lock")):
            return "unlock"
        case (("rename" | "renameat" | "renameat2"), (_, _, "session.jsonl")):
            return "session"
        case (("rename" | "renameat" | "renameat2"), (folder, _, _)) if folder.endswith("images"):
            return "asset"
    return ""
