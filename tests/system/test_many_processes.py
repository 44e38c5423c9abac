"""Several processes at work on one asset store, and others that look on."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import ExitCode
from tests.system.sessions import leftovers, png, require_whole_assets, session_of, start, write_session

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.system

PROCESSES = 8
IMAGES = tuple(png(number, 20_000 * number) for number in range(12))
INLINE = {f"{number}.jsonl": session_of(IMAGES[number : number + 6]) for number in range(6)}


@pytest.mark.parametrize("targets", ["one", "several"])
def test_one_store_for_all(tmp_path: Path, targets: str) -> None:
    for name, text in INLINE.items():
        write_session(tmp_path / "inline" / name, text)
    store = tmp_path / "store"
    outs = [tmp_path / ("out" if targets == "one" else f"out{number}") for number in range(PROCESSES)]
    migrating = [start("migrate", "-r", tmp_path / "inline", "--out", out, "--store", store) for out in outs]
    while any(process.poll() is None for process in migrating):
        require_whole_assets(store)
        require_whole_references(outs[0], store)
    for process in migrating:
        _, stderr = process.communicate()
        assert (process.returncode, stderr) == (ExitCode.OK, b"")
    for out in outs:
        assert verify(out, store).returncode == ExitCode.OK
    assert leftovers(tmp_path) == []
    assert len(list(store.iterdir())) == len({image for number in range(6) for image in IMAGES[number : number + 6]})


def verify(out: Path, store: Path) -> subprocess.CompletedProcess[bytes]:
    with start("verify", "-r", out, "--store", store, "--json") as process:
        stdout, stderr = process.communicate()
    return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


def require_whole_references(out: Path, store: Path) -> None:
    """Sessions that have their names already have all their assets; those of sessions that have not are nobody's yet."""
    if not list(out.glob("*.jsonl")):
        return
    for line in verify(out, store).stdout.splitlines():
        record = json.loads(line)
        if record["type"] == "session":
            assert record["status"] == "ok", record
