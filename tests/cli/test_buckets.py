"""`--store s3://BUCKET/PREFIX`: a session whose assets are in a bucket, from one command to the next."""

from __future__ import annotations

import filecmp
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from sessionkit.core.stores import LockKind
from sessionkit.core.stores.s3.store import S3Store
from sessionkit.errors import ExitCode
from tests.buckets import keys
from tests.cli.running import PROGRAM
from tests.cli.test_json import closed, schema_of
from tests.ops.repairs import stored, truncated

if TYPE_CHECKING:
    from sessionkit.core.stores.addresses import Bucket
    from tests.cli.running import Cli, Copy, Program

_PLAN = """
import sys
from pathlib import Path
from sessionkit import Batch, Descent, MigrateOptions, MigratePlan, Mirror, find_sources, parse_address, plan_transfers
transfers = plan_transfers(find_sources(["inline"], Descent.RECURSIVE), Mirror(Path("spilled")))
plan = MigratePlan(tuple(transfers), MigrateOptions(store=parse_address(sys.argv[1])))
"""
_IN_A_POOL = f"""{_PLAN}
print([result.outcome.name for result in plan.run(Batch(jobs=2, least=0))])
"""
_RESUMED = f"""
from sessionkit.ops.resume.plan import Resumption
{_PLAN}
results = Resumption(plan, Path("journal")).run(Batch(jobs=2, least=0))
print([result.outcome.name if hasattr(result, "outcome") else type(result.error).__name__ for result in results])
"""
NUMBER = 6
"""Assets of the fixture."""
REQUEST = ("--provider", "anthropic")


@pytest.fixture
def store(bucket: Bucket) -> str:
    return str(bucket)


@pytest.fixture
def spilled(cli: Cli, session: Copy, store: str) -> Path:
    assert cli("migrate", session("inlined/a.jsonl"), "-o", "spilled/a.jsonl", "--store", store).code == ExitCode.OK
    return Path("spilled/a.jsonl")


def test_there_and_back(cli: Cli, spilled: Path, store: str, bucket: Bucket) -> None:
    assert len(keys(bucket)) == NUMBER
    assert [path.name for path in spilled.parent.iterdir()] == ["a.jsonl"]
    ran = cli("verify", spilled, "--store", store)
    assert (ran.code, ran.out.splitlines()[0]) == (ExitCode.OK, "1 session: 9 references, 6 assets, 29 kB checked")
    assert cli("restore", spilled, "-o", "back.jsonl", "--store", store).code == ExitCode.OK
    assert filecmp.cmp("back.jsonl", "inlined/a.jsonl", shallow=False)


def test_nothing_in_the_session_tells_where_its_assets_are(cli: Cli, spilled: Path) -> None:
    assert cli("migrate", "inlined/a.jsonl", "-o", "local/a.jsonl").code == ExitCode.OK
    assert filecmp.cmp("local/a.jsonl", spilled, shallow=False)


@pytest.mark.parametrize(
    "words",
    [
        ("rehydrate", *REQUEST),
        ("estimate", "--by-dimensions"),
        ("messages", "--json"),
        ("compact", "--strategy", "pi"),
    ],
)
def test_what_is_read_is_the_same_as_inline(cli: Cli, spilled: Path, store: str, words: tuple[str, ...]) -> None:
    command, *rest = words
    far, near = (cli(command, path, *rest, "--store", place) for path, place in ((spilled, store), ("inlined/a.jsonl", "images")))
    assert (far.code, near.code) == (ExitCode.OK, ExitCode.OK)
    assert far.out.replace(str(spilled), "inlined/a.jsonl") == near.out
    assert spilled.read_bytes()


def test_many_sessions_with_several_processes(program: Program, session: Copy, bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        session(f"inline/{number}.jsonl")
    done = subprocess.run([sys.executable, "-c", _IN_A_POOL, str(bucket)], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout == "['WRITTEN', 'WRITTEN', 'WRITTEN']\n"
    assert len(keys(bucket)) == NUMBER
    monkeypatch.setenv("SESSIONKIT_STORE", str(bucket))
    assert program("restore", "-r", "spilled", "--out", "back").returncode == ExitCode.OK
    assert all(filecmp.cmp(f"inline/{number}.jsonl", f"back/{number}.jsonl", shallow=False) for number in range(3))


def test_an_interrupted_run_goes_on(session: Copy, bucket: Bucket) -> None:
    """What was put into the bucket is looked for, and several processes do the rest."""
    for number in range(4):
        session(f"inline/{number}.jsonl")
    torn = [Path(f"inline/{number}.jsonl").rename(f"inline/{number}.jsonl.gz") for number in (2, 3)]
    command = [sys.executable, "-c", _RESUMED, str(bucket)]
    first = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert first == "['WRITTEN', 'WRITTEN', 'UnreadableError', 'UnreadableError']\n"
    for path in torn:
        path.rename(path.with_suffix(""))
    second = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert second == "['RESUMED', 'RESUMED', 'WRITTEN', 'WRITTEN']\n"
    assert len(keys(bucket)) == NUMBER


def test_settings_name_it(cli: Cli, session: Copy, store: str, bucket: Bucket) -> None:
    Path("pyproject.toml").write_text(f'[tool.sessionkit]\nstore = "{store}"\n')
    assert cli("migrate", session("a.jsonl"), "-o", "b.jsonl").code == ExitCode.OK
    assert len(keys(bucket)) == NUMBER
    Path("pyproject.toml").write_text('[tool.sessionkit]\nstore = "s3://NOT"\n')
    ran = cli("migrate", "a.jsonl", "-o", "b.jsonl")
    assert (ran.code, "no name of a bucket" in ran.err, "bad setting tool.sessionkit.store" in ran.err) == (ExitCode.USAGE, True, True)


def test_a_dry_run_writes_nothing(cli: Cli, session: Copy, store: str, bucket: Bucket) -> None:
    ran = cli("migrate", session("a.jsonl"), "-o", "b.jsonl", "--store", store, "--dry-run")
    assert (ran.code, "6 new, 3 repeated" in ran.out) == (ExitCode.OK, True)
    assert keys(bucket) == []
    assert not [name for name, _ in S3Store(bucket)._client.all_below(bucket.folder)]


def test_a_second_migration_reuses_and_repairs(cli: Cli, spilled: Path, store: str, bucket: Bucket) -> None:
    S3Store(bucket)._client.put(f"{bucket.folder}/{keys(bucket)[0]}", b"torn")
    ran = cli("verify", spilled, "--store", store)
    assert (ran.code, "asset-corrupt" in ran.out) == (ExitCode.FINDINGS, True)
    ran = cli("restore", spilled, "-o", "back.jsonl", "--store", store)
    assert (ran.code, Path("back.jsonl").exists(), "does not hold what its name says" in ran.err) == (ExitCode.FAILED, False, True)
    ran = cli("migrate", "inlined/a.jsonl", "-o", "again.jsonl", "--store", store)
    assert "5 reused, 1 repaired, 3 repeated" in ran.out
    assert cli("verify", spilled, "--store", store).code == ExitCode.OK


def test_assets_move_between_buckets_and_folders(cli: Cli, spilled: Path, store: str, bucket: Bucket) -> None:
    """A session that has its assets beside it takes them along into a bucket."""
    assert cli("migrate", "inlined/a.jsonl", "-o", "local/a.jsonl").code == ExitCode.OK
    assert cli("migrate", "local/a.jsonl", "-o", "far/a.jsonl", "--store", f"{store}/more").code == ExitCode.OK
    assert cli("verify", "far/a.jsonl", "--store", f"{store}/more").code == ExitCode.OK
    assert filecmp.cmp(spilled, "far/a.jsonl", shallow=False)
    assert keys(bucket)


def test_collection(cli: Cli, spilled: Path, store: str, bucket: Bucket) -> None:
    lines = spilled.read_bytes().splitlines(keepends=True)
    spilled.write_bytes(b"".join(lines[:7]))
    collect = ("gc", "spilled", "--store", store)
    newest = max(file.stat.mtime_ns for file in S3Store(bucket).files())
    while time.time_ns() <= newest:
        time.sleep(0.01)
    assert "4 kept for their age of less than 14d" in cli(*collect, "--apply").out
    ran = cli(*collect, "--grace", "0")
    assert (ran.code, len(keys(bucket)), "dry run" in ran.out) == (ExitCode.OK, NUMBER, True)
    assert cli(*collect, "--grace", "0", "--apply").code == ExitCode.OK
    assert len([name for name in keys(bucket) if not name.startswith(".")]) == NUMBER - 4
    assert cli("verify", spilled, "--store", store).code == ExitCode.OK
    assert cli(*collect, "--undo").out.startswith(f"{store}: 4 assets, 23 kB, put back from ")
    assert cli("verify", spilled, "--store", store).code == ExitCode.OK
    assert len(keys(bucket)) == NUMBER
    S3Store(bucket).remove(next(file.name for file in S3Store(bucket).files() if file.name.digest not in spilled.read_text()))
    assert cli(*collect, "--grace", "0", "--json").records()[0]["store"] == store


def test_a_collection_frees_nothing_while_somebody_migrates(cli: Cli, spilled: Path, store: str, bucket: Bucket) -> None:
    spilled.write_bytes(b"{}\n")
    (Path("spilled") / "a.jsonl").touch()
    newest = max(file.stat.mtime_ns for file in S3Store(bucket).files())
    while time.time_ns() <= newest:
        time.sleep(0.01)
    with S3Store(bucket).lock(LockKind.SHARED, 0):
        ran = cli("gc", "spilled", "--store", store, "--grace", "0", "--apply", "--lock-timeout", "0")
    assert (ran.code, "the asset store is locked" in ran.err, "held by process" in ran.err) == (ExitCode.FAILED, True, True)
    assert len(keys(bucket)) == NUMBER


def test_a_session_that_is_repaired_keeps_its_pictures_there(cli: Cli, store: str, bucket: Bucket) -> None:
    ran = cli("repair", stored(Path("in"), truncated(), "a.jsonl"), "--apply", "--store", store)
    assert ran.code == ExitCode.OK
    assert f"kept in {store}: 1 file (750 B)" in ran.out
    assert len(keys(bucket)) == 1
    assert not Path("in/images").exists()


@pytest.mark.parametrize("command", ["migrate", "verify", "restore", "rehydrate", "estimate", "messages", "gc", "check"])
def test_a_bucket_that_is_not_there(cli: Cli, spilled: Path, command: str) -> None:
    words = {
        "migrate": ("inlined/a.jsonl", "-o", "x.jsonl"),
        "restore": (spilled, "-o", "x.jsonl"),
        "rehydrate": (spilled, *REQUEST),
        "estimate": (spilled, "--by-dimensions"),
        "gc": ("spilled",),
    }.get(command, (spilled,))
    ran = cli(command, *words, "--store", "s3://nowhere/x")
    assert ran.code == ExitCode.FAILED
    assert "s3://nowhere/x/images/" in ran.err
    assert "NoSuchBucket" in ran.err
    assert "makes no buckets" in ran.err
    assert "Traceback" not in ran.err
    assert not Path("x.jsonl").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("migrate", "-r", "inline", "--out", "new/out"),
        ("migrate", "-r", "inline", "--out", "new/out", "--resume", "journal"),
        ("restore", "-r", "many", "--out", "new/out"),
        ("estimate", "-r", "many", "--by-dimensions"),
        ("check", "-r", "many"),
        ("gallery", "many", "-o", "page.html"),
    ],
    ids=" ".join,
)
def test_a_batch_ends_where_a_bucket_is_not_there(cli: Cli, spilled: Path, session: Copy, words: tuple[str, ...]) -> None:
    """What needs no asset is done before, and no other session is tried; folders that were made in vain are gone."""
    Path("many").mkdir()
    for number in range(3):
        session(f"inline/{number}.jsonl")
        shutil.copyfile(spilled, f"many/{number}.jsonl")
    ran = cli(*words, "--store", "s3://nowhere/x")
    assert (ran.code, ran.err.count("error: ")) == (ExitCode.FAILED, 1)
    assert ran.err.startswith("1 of 3 sessions failed:\nerror: s3://nowhere/x/images/")
    assert ran.err.endswith("\n2 sessions not done, as they would have failed too\n")
    assert not Path("new").exists()


def test_a_batch_that_ended_so_has_failed_whatever_was_done(cli: Cli, spilled: Path) -> None:
    Path("spilled/0.jsonl").write_bytes(b"{}\n")
    ran = cli("restore", "-r", "spilled", "--out", "back", "--store", "s3://nowhere/x")
    assert (ran.code, Path("back/0.jsonl").exists(), spilled.exists()) == (ExitCode.FAILED, True, True)


def test_a_batch_goes_on_in_vain_as_it_began(program: Program, session: Copy, store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bucket that says which sessions are done cannot be asked either."""
    for name in ("a.jsonl", "b.jsonl.gz"):
        session(f"inline/{name}")
    again = ("migrate", "-r", "inline", "--out", "new", "--resume", "journal", "--store", store)
    assert program(*again).returncode == ExitCode.PARTIAL
    monkeypatch.setenv("AWS_SESSION_TOKEN", "secret\n")
    ran = program(*again)
    assert (ran.returncode, ran.stdout) == (ExitCode.FAILED, b"")
    assert ran.stderr.startswith(b"1 of 2 sessions failed:\nerror: AWS_SESSION_TOKEN is not understood: ")
    assert ran.stderr.endswith(b"\n1 session not done, as they would have failed too\n")
    assert b"secret" not in ran.stderr


@pytest.mark.parametrize("words", [(), ("--undo",), ("--purge-trash",), ("--grace", "0", "--apply")], ids=" ".join)
def test_a_collection_of_a_bucket_that_is_not_there(cli: Cli, spilled: Path, words: tuple[str, ...]) -> None:
    validator = Draft202012Validator(closed(schema_of("gc")))
    told = ("gc", spilled.parent, *words, "--store", "s3://nowhere/x")
    failed, summary = cli(*told, "--json").records()
    for record in (failed, summary):
        validator.validate(record)
    assert (failed["store"], failed["error"]["kind"], summary["failed"]) == ("s3://nowhere/x", "UnreachableError", 1)
    assert summary["exit_code"] == ExitCode.FAILED
    ran = cli(*told)
    assert (ran.code, ran.out.replace("dry run: nothing was written\n", "")) == (ExitCode.FAILED, "")


def test_where_no_trash_is(cli: Cli, spilled: Path, store: str) -> None:
    for words, what in (((), "there is nothing to undo"), (("--trash", "nope"), "no trash is called nope")):
        ran = cli("gc", spilled.parent, "--undo", *words, "--store", store)
        assert (ran.code, ran.err.splitlines()[0]) == (ExitCode.FAILED, f"error: {store}/images/.trash: {what}")


def test_ctrl_c_does_not_wait_for_the_server(session: Copy, store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        command = [*PROGRAM, "migrate", str(session("a.jsonl")), "-o", "b.jsonl", "--store", store]
        with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
            connection = silent.accept()[0]
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == ExitCode.INTERRUPTED
    connection.close()
    assert not Path("b.jsonl").exists()


def test_what_is_no_address(cli: Cli, session: Copy) -> None:
    ran = cli("migrate", session("a.jsonl"), "-o", "b.jsonl", "--store", "s3://team/images")
    assert (ran.code, "leave the last 'images' out" in ran.err) == (ExitCode.USAGE, True)
