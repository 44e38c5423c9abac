"""Disks that are full or may not be written, without strace."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import ExitCode
from tests.system.sessions import PROGRAM, do, leftovers, png, session_of, write_session

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.system

WITHOUT_PRIVILEGES = ("setpriv", "--bounding-set=-all", "--inh-caps=-all") if os.geteuid() == 0 else ()
"""Root keeps its name, so that it can read this checkout wherever it is, but modes bind it like anybody."""
IN_NAMESPACE = ("unshare", "--mount", "--propagation", "private") + (() if os.geteuid() == 0 else ("--map-root-user",))
IMAGES = tuple(png(number, 100_000) for number in range(8))
INLINE = session_of(IMAGES)
FITTING = session_of(IMAGES[:1])


def run_on(disk: Path, mount: str, *commands: str) -> subprocess.CompletedProcess[str]:
    """Run shell commands while a file system is mounted, which only they see; $disk is its folder, $sessionkit the program."""
    environment = os.environ | {"disk": str(disk), "sessionkit": " ".join(PROGRAM)}
    script = "\n".join(("set -e", mount, *commands))
    return subprocess.run([*IN_NAMESPACE, "sh", "-c", script], capture_output=True, text=True, check=False, env=environment)


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    path = tmp_path / "disk"
    path.mkdir()
    if run_on(path, 'mount -t tmpfs none "$disk"').returncode:
        pytest.skip("this user may not mount a file system here; the limit of the file size stands for it")
    return path


@dataclass(frozen=True)
class Job:
    """A command and the session that it reads."""

    command: str
    source: Path


@pytest.fixture(params=["migrate", "restore"])
def job(request: pytest.FixtureRequest, tmp_path: Path) -> Job:
    inline = write_session(tmp_path / "inline" / "session.jsonl", INLINE)
    do("migrate", inline, "--out", tmp_path / "spilled")
    return Job(request.param, inline if request.param == "migrate" else tmp_path / "spilled" / inline.name)


@pytest.mark.parametrize("size", ["64k", "256k", "1000k"])
def test_a_full_disk_keeps_what_stands_on_it(disk: Path, job: Job, size: str) -> None:
    """Too small for one image, for all of them, or for the restored session only: then the migration succeeds."""
    mount = f'mount -t tmpfs -o size={size} none "$disk"; printf old > "$disk/session.jsonl"'
    run = f'code=0; $sessionkit {job.command} {job.source} --out "$disk" --force >/dev/null || code=$?; echo $code'
    ran = run_on(disk, mount, run, 'cat "$disk/session.jsonl" | head -c 3; find "$disk" -name ".sessionkit-*"')
    if (job.command, size) == ("migrate", "1000k"):
        assert (ran.stdout, ran.stderr) == ('0\n{"i', "")
        return
    assert ran.stdout == "3\nold"
    why = "cannot be written: no space left on device|not restored: .* are free at .*"
    assert re.fullmatch(rf"error: /\S+: ({why})\n(  while working on \S+\n)?  next: .+\n", ran.stderr)


def test_a_disk_that_is_mounted_read_only_is_named(disk: Path, job: Job) -> None:
    ran = run_on(disk, 'mount -t tmpfs -o ro none "$disk"', f'$sessionkit {job.command} {job.source} --out "$disk/out"')
    assert ran.returncode == ExitCode.FAILED
    what = f"error: {disk}/out: cannot be written: read-only file system"
    assert ran.stderr.splitlines() == [what, f"  while working on {job.source}", "  next: write to a folder on another file system"]


def test_no_room_for_standard_input_or_a_body(disk: Path, tmp_path: Path) -> None:
    source = write_session(tmp_path / "session.jsonl", INLINE)
    rehydrate = f"$sessionkit rehydrate - --provider anthropic --json < {source}"
    for command, place in ((f'TMPDIR="$disk" {rehydrate}', ""), (f'{rehydrate} -o "$disk/body.json"', "/body.json")):
        ran = run_on(disk, 'mount -t tmpfs -o size=64k none "$disk"', f"{command} || echo $?", 'find "$disk" -type f')
        *_, failed, summary, code = ran.stdout.splitlines()
        error = json.loads(failed)["error"]
        assert error["path"] == f"{disk}{place}"
        assert (error["why"], json.loads(summary)["exit_code"], code) == ("no space left on device", 3, "3")
        assert ran.stderr.startswith(f"error: {error['path']}: ")


def test_a_file_that_may_not_grow_keeps_the_old_text(tmp_path: Path, job: Job) -> None:
    limit = 50_000 if job.command == "migrate" else 500_000
    target = tmp_path / "out" / "session.jsonl"
    old = write_session(target, FITTING).stat()
    command = [*PROGRAM, job.command, str(job.source), "--out", str(target.parent), "--force"]
    limit_size = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (limit, limit))
    ran = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit_size)
    assert ran.returncode == ExitCode.FAILED
    assert f"cannot be written: file too large\n  while working on {job.source}\n  next: raise the limit" in ran.stderr
    assert (target.read_bytes(), target.stat().st_mtime_ns) == (FITTING, old.st_mtime_ns)
    assert leftovers(tmp_path) == []
    do(job.command, job.source, "--out", target.parent, "--force")


def test_a_folder_without_the_right_to_write_is_left_alone(tmp_path: Path, job: Job) -> None:
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o555)
    ran = subprocess.run(
        [*WITHOUT_PRIVILEGES, *PROGRAM, job.command, job.source, "--out", locked / "out"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == ExitCode.FAILED
    what, where, hint = ran.stderr.splitlines()
    assert what == f"error: {locked / 'out'}: cannot be written: permission denied"
    assert where == f"  while working on {job.source}"
    assert hint.startswith("  next: check who owns")
    assert list(locked.iterdir()) == []
