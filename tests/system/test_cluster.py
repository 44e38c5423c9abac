"""The same tasks on the workers of a cluster: real processes, some of which are killed."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.errors import ExitCode
from tests.ops.runs import files
from tests.system.clusters import OTHER, WITHOUT, Cluster, cluster, until
from tests.system.sessions import PROGRAM, do, leftovers, png, session_of, write_session
from tests.system.test_full_disk import run_on

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.system

COUNT = 40
MANY = 80 << 20
"""Bytes of a session that is worked on in ranges."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Many sessions with pictures, and as they are when one process has spilled them."""
    folder = tmp_path_factory.mktemp("shared")
    for number in range(COUNT):
        write_session(folder / "inline" / f"{number:02}.jsonl", session_of(png(number + extra, 600_000) for extra in range(3)))
    write_session(folder / "inline" / "large.jsonl", session_of(png(number, 900_000) for number in range(MANY // 1_200_000)))
    write_session(folder / "inline" / "torn.jsonl.gz", b"\x1f\x8b")
    run("migrate", "-r", "inline", "--out", "one", "-j", "1", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def pair(home: Path) -> Iterator[Cluster]:
    with cluster(home / "cluster", workers=2) as started:
        yield started


def begin(*words: str, cwd: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*PROGRAM, *words, "--json"], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def end(process: subprocess.Popen[bytes]) -> tuple[int, list[Any], str]:
    """Exit code, records without who met an asset first, and talk."""
    out, err = process.communicate()
    records = [json.loads(line) for line in out.splitlines()]
    for record in records:
        if record["type"] == "session":
            record.pop("stored", None)
            record.pop("stored_bytes", None)
    return process.returncode, records, err.decode()


def run(*words: str, cwd: Path) -> tuple[int, list[Any], str]:
    return end(begin(*words, cwd=cwd))


def renamed(ran: tuple[int, list[Any], str], name: str) -> tuple[int, list[Any], str]:
    """The same of a run into a folder of another name."""
    code, records, err = ran
    return code, json.loads(json.dumps(records).replace(f'"{name}/', '"two/')), err


@pytest.mark.parametrize(
    "words",
    [
        ("migrate", "-r", "inline", "--out", "two"),
        ("restore", "-r", "one", "--out", "three"),
        ("verify", "-r", "one"),
        ("scan", "-r", "one"),
        ("estimate", "-r", "one"),
        ("check", "-r", "one"),
        ("compact", "-r", "one"),
    ],
)
def test_every_command_says_and_writes_the_same(home: Path, pair: Cluster, words: tuple[str, ...]) -> None:
    on_cluster = run(*words, "--dask", pair.address, cwd=home)
    alone = run(*words[:-1], "alone", "-j", "1", cwd=home) if "--out" in words else run(*words, "-j", "1", cwd=home)
    if "--out" in words:
        assert files(home / words[-1]) == files(home / "alone")
        subprocess.run(["rm", "-r", home / words[-1], home / "alone"], check=True)
        on_cluster, alone = renamed(on_cluster, words[-1]), renamed(alone, "alone")
    assert on_cluster == alone


def test_a_worker_that_is_killed_is_replaced_by_another(home: Path, pair: Cluster) -> None:
    process = begin("migrate", "-r", "inline", "--out", "two", "--dask", pair.address, "--resume", "journal", cwd=home)
    until(lambda: len(list(home.glob("two/*.jsonl"))) >= COUNT // 3)
    pair.workers[0].kill()
    code, records, err = end(process)
    assert code == ExitCode.PARTIAL, err
    assert [record["session"] for record in records[:-1] if record["status"] == "failed"] == ["inline/torn.jsonl.gz"]
    assert files(home / "two") == files(home / "one")
    _, again, _ = run("migrate", "-r", "inline", "--out", "two", "--resume", "journal", cwd=home)
    assert again[-1]["resumed"] == COUNT + 1


def test_ctrl_c_stops_the_workers(home: Path, pair: Cluster) -> None:
    process = begin("migrate", "-r", "inline", "--out", "four", "--dask", pair.address, "--resume", "five", cwd=home)
    until(lambda: list(home.glob("four/*.jsonl")))
    process.send_signal(signal.SIGINT)
    code, _, err = end(process)
    assert (code, err) == (ExitCode.INTERRUPTED, "interrupted: what was begun is undone, what was finished stays\n")
    until(lambda: not leftovers(home / "four"), seconds=10)
    done = len(list(home.glob("four/*.jsonl")))
    assert done < COUNT
    _, records, _ = run("migrate", "-r", "inline", "--out", "four", "--resume", "five", cwd=home)
    assert 0 < records[-1]["resumed"] <= done
    assert files(home / "four") == files(home / "one")


@pytest.mark.parametrize("more", [(), ("--fail-fast",)])
def test_of_a_scheduler_that_is_killed_the_journal_tells_what_is_done(home: Path, tmp_path: Path, more: tuple[str, ...]) -> None:
    words = ("migrate", "-r", "inline", "--out", str(tmp_path / "out"), "--resume", str(tmp_path / "journal"))
    (home / "inline" / "torn.jsonl.gz").rename(tmp_path / "torn")
    with cluster(tmp_path / "cluster", workers=1) as lone:
        process = begin(*words, "--dask", lone.address, *more, cwd=home)
        until(lambda: len(list(tmp_path.glob("out/*.jsonl"))) >= COUNT // 3)
        lone.scheduler.kill()
        code, records, err = end(process)
        lone.workers[0].kill()
    (tmp_path / "torn").rename(home / "inline" / "torn.jsonl.gz")
    done = [record["session"] for record in records[:-1] if record["status"] == "written"]
    kinds = {record["error"]["kind"] for record in records[:-1] if record["status"] == "failed"}
    assert (code, kinds <= {"UnknownOutcomeError", "StoppedError"}) == (ExitCode.PARTIAL, True), err
    assert len(done) >= COUNT // 3 - 1
    assert f"is unknown:\nerror: {lone.address}: the scheduler is gone" in err
    assert " failed:" not in err
    _, again, _ = run(*words, cwd=home)
    assert again[-1]["resumed"] >= len(done)


def test_with_fail_fast_nothing_is_handed_out_after_a_failure(tmp_path: Path, pair: Cluster) -> None:
    write_session(tmp_path / "a.jsonl.gz", b"\x1f\x8b" + b"\0" * (9 << 20))
    for number in range(10):
        write_session(tmp_path / f"{number}.jsonl", b"{}\n" * (3 << 20))
    code, records, _ = run("scan", "-r", ".", "--fail-fast", "--dask", pair.address, cwd=tmp_path)
    kinds = [record["error"]["kind"] for record in records[:-1] if record["status"] == "failed"]
    assert code in {ExitCode.PARTIAL, ExitCode.FAILED}
    assert kinds[-1] == "UnreadableError"
    assert kinds.count("StoppedError") >= 5


@pytest.mark.parametrize(("before", "why"), [(WITHOUT, "has none, and this is"), (OTHER, "has version 0.0.1, and this is")])
def test_a_worker_that_cannot_do_the_work_is_told_of(tmp_path: Path, before: str, why: str) -> None:
    do("migrate", write_session(tmp_path / "a.jsonl", session_of([png(0)])), "--out", tmp_path / "out")
    with cluster(tmp_path / "cluster", workers=0) as lone:
        lone.add(before=before)
        code, _, err = run("verify", str(tmp_path / "out" / "a.jsonl"), "--dask", lone.address, cwd=tmp_path)
    assert code == ExitCode.FAILED
    assert "1 of 1 workers have another sessionkit: tcp://127.0.0.1:" in err
    assert why in err


def test_a_folder_that_workers_do_not_see_is_told_of(tmp_path: Path, pair: Cluster) -> None:
    session = write_session(tmp_path / "a.jsonl", session_of([png(0)]))
    mount = f'mount -t tmpfs none "$disk" && mkdir "$disk/own" && cp {session} "$disk/own" && cd "$disk/own"'
    (tmp_path / "disk").mkdir()
    ran = run_on(tmp_path / "disk", mount, f"$sessionkit scan a.jsonl --dask {pair.address}")
    if "mount" in ran.stderr:
        pytest.skip("this user may not mount a file system here")
    assert ran.returncode == ExitCode.FAILED
    assert f"error: {tmp_path}/disk/own: a worker does not see the working folder: No such file or directory" in ran.stderr
