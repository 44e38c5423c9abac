"""Batches that go on where they were broken off: what is done and still stands is told of, and all else is done again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.core.files import Durability
from sessionkit.core.media.policy import Choice, Policy, Spelling
from sessionkit.errors import UnknownOutcomeError, UsageError
from sessionkit.ops import migrate
from sessionkit.ops.batch import Batch
from sessionkit.ops.guards import Force, Liveness
from sessionkit.ops.outputs import Existing, Outcome
from sessionkit.ops.resume import marks
from sessionkit.ops.resume.journal import Journal
from sessionkit.ops.targets import InPlace, Mirror, OneFile
from sessionkit.ops.writing import Effect, Writing
from tests.ops.resuming import NAMES, QUICK, furnished, half_done, outcomes, plans, resumed
from tests.ops.runs import FIXTURES, files, message, png, text, transfers, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from sessionkit.ops.targets import Destination, Transfer

ROOT = Path(__file__).parents[2]

DIE = """
import os, signal, sys
from pathlib import Path
from sessionkit.ops.batch import Batch
from sessionkit.ops.resume.plan import Resumption
from tests.ops.resuming import plans

left = int(sys.argv[3])
def tick(size):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

plan = plans(Path(sys.argv[1]))[sys.argv[2]]
list(Resumption(plan, Path(sys.argv[1], "journal")).run(Batch(progress=tick)))
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return furnished(tmp_path)


def interrupt(home: Path, name: str, moment: int) -> None:
    ran = subprocess.run([sys.executable, "-c", DIE, home, name, str(moment)], cwd=ROOT, check=False)
    assert ran.returncode == -signal.SIGKILL


@pytest.mark.parametrize(("name", "twin"), [("migrate", "spilled"), ("restore", "inline")])
def test_a_run_that_was_killed_goes_on(home: Path, name: str, twin: str) -> None:
    interrupt(home, name, 2)
    assert len(files(home / "out")) < len(files(home / twin))
    told: list[int] = []
    results = resumed(home, name, batch=Batch(2, least=0, progress=told.append))
    assert outcomes(results) == "RWW"
    assert sum(told) == sum(result.transfer.source.size() for result in results)
    assert {**files(home / "out")} == {path: data for path, data in files(home / twin).items() if name == "migrate" or "/" not in path}
    assert not (home / "journal").exists()


def test_the_report_is_that_of_a_run_without_a_break(home: Path) -> None:
    whole = list(plans(home)["migrate"].run(Batch()))
    for path in sorted((home / "out").rglob("*.*")):
        path.unlink()
    half_done(home)
    again = resumed(home)
    assert outcomes(again) == "RRW"
    assert [replace(result, outcome=Outcome.WRITTEN) for result in again[:2]] == whole[:2]
    assert replace(again[2].ledger, assets={}) == replace(whole[2].ledger, assets={})


def grow(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"{}\n")


def rewrite(path: Path) -> None:
    """Change the content, and hide it from who looks at size and modification time alone."""
    status = path.stat()
    path.write_bytes(path.read_bytes()[::-1])
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def shorten(path: Path, size: int = 1) -> None:
    os.truncate(path, path.stat().st_size - size)


def record(home: Path, session: str) -> Any:  # noqa: ANN401
    return next(entry["result"] for entry in lines(home) if entry["source"].endswith(f"{session}.jsonl"))


def lines(home: Path) -> list[Any]:
    return [json.loads(line) for line in (home / "journal").read_bytes().splitlines()[1:]]


def asset_of(home: Path, session: str) -> Path:
    """The asset that the first session does not name."""
    first, own = (frozenset(map(str, record(home, name)["assets"])) for name in ("a", session))
    [name] = own - first
    return home / "out" / "images" / name


def garble(home: Path) -> None:
    *kept, last = (home / "journal").read_bytes().splitlines(keepends=True)
    (home / "journal").write_bytes(b"".join(kept) + b'\n{"source":[]}\nnull\n' + b"[" * 20_000 + b"\n\xff" + last)


def misspell(home: Path) -> None:
    *kept, last = (home / "journal").read_bytes().splitlines(keepends=True)
    (home / "journal").write_bytes(b"".join(kept) + last.replace(b'"read"', b'"red"'))


def restart(home: Path) -> None:
    """Nothing was synced, so the journal may tell of what a power cut has taken back."""
    path = home / "journal"
    path.write_bytes(path.read_bytes().replace(marks.boot().encode(), b"of another start"))


CHANGES: dict[str, Callable[[Path], object]] = {
    "WWW the journal is gone": lambda home: (home / "journal").unlink(),
    "RRW nothing": files,
    "RWW the session grew": lambda home: grow(home / "inline" / "b.jsonl"),
    "RFW the session was rewritten": lambda home: rewrite(home / "inline" / "b.jsonl"),
    "RWW the target is gone": lambda home: (home / "out" / "b.jsonl").unlink(),
    "RUW an equal file stands in its place": lambda home: (home / "spilled" / "b.jsonl").replace(home / "out" / "b.jsonl"),
    "RFW the target was rewritten": lambda home: rewrite(home / "out" / "b.jsonl"),
    "RUW an asset is gone": lambda home: asset_of(home, "b").unlink(),
    "RUW an asset is shorter": lambda home: shorten(asset_of(home, "b")),
    "RUW the last line is torn": lambda home: shorten(home / "journal", 9),
    "RUW the last line is none of ours": garble,
    "RUW the last result is none of ours": misspell,
    "UUW the host was started anew": restart,
}


@pytest.mark.parametrize("change", CHANGES)
def test_only_what_still_stands_is_skipped(home: Path, change: str) -> None:
    half_done(home)
    CHANGES[change](home)
    if change.startswith("WWW"):
        for path in (home / "out").rglob("*.*"):
            path.unlink()
    results = resumed(home)
    assert outcomes(results) == change[:3]
    assert (home / "journal").exists() == ("F" in change[:3])
    if "F" not in change[:3] and "session" not in change:
        assert files(home / "out") == files(home / "spilled") | {"b.jsonl": (home / "out" / "b.jsonl").read_bytes()}


def test_what_failed_is_tried_again(home: Path) -> None:
    broken = write(home / "inline" / "b.jsonl.gz", b"\x1f\x8b")
    (home / "inline" / "b.jsonl").unlink()
    assert outcomes(resumed(home)) == "WFW"
    assert outcomes(resumed(home)) == "RFR"
    broken.unlink()
    write(home / "inline" / "b.jsonl", text(10))
    assert outcomes(resumed(home)) == "RWR"
    assert not (home / "journal").exists()


def test_in_place(home: Path) -> None:
    for name in NAMES[:2]:
        write(home / "mine" / f"{name}.jsonl", (FIXTURES / "native" / "spilled" / "session.jsonl").read_bytes() + message(png(1)))
    plan = migrate.Plan(transfers([home / "mine"], InPlace()), QUICK)
    half_done(home, plan, most=1)
    assert outcomes(resumed(home, plan=plan)) == "RW"


def test_assets_that_are_taken_along_make_a_session_be_done_again(home: Path) -> None:
    plan = migrate.Plan(transfers([home / "spilled"], Mirror(home / "moved")), QUICK)
    half_done(home, plan)
    assert outcomes(resumed(home, plan=plan)) == "UUW"


def other_media(home: Path) -> Any:  # noqa: ANN401
    return replace(plans(home)["migrate"], options=replace(QUICK, policy=Policy(Choice.IMAGES, 9, Spelling.ANY), store=home / "store"))


def rehearsal(home: Path) -> Any:  # noqa: ANN401
    return replace(plans(home)["migrate"], options=replace(QUICK, writing=Writing(Effect.REHEARSE)))


def to(destination: Destination) -> Callable[[Path], Any]:
    return lambda home: migrate.Plan(transfers([home / "inline" / "c.jsonl"], destination), QUICK)


def over_itself(home: Path) -> Any:  # noqa: ANN401
    return migrate.Plan(transfers([home / "inline" / "c.jsonl"], OneFile(home / "journal")), QUICK)


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        (other_media, "way: --media was all, and is images; --min-bytes was 0, and is 9; --normalize was not given, and is given; --store"),
        (lambda home: plans(home)["restore"], "command was migrate, and is restore\n"),
        (rehearsal, "a dry run leaves nothing"),
        (to(OneFile(Path("-"))), "through a pipe"),
        (over_itself, "would be one of the sessions"),
    ],
)
def test_what_cannot_be_resumed_is_refused(home: Path, plan: Callable[[Path], Any], why: str) -> None:
    half_done(home)
    before = files(home)
    with pytest.raises(UsageError, match=why):
        resumed(home, plan=plan(home))
    assert files(home) == before


def test_a_refusal_can_be_lifted_by_the_run_that_goes_on(home: Path) -> None:
    half_done(home)
    rewrite(home / "out" / "b.jsonl")
    assert outcomes(resumed(home)) == "RFW"
    forced = Writing(existing=Existing.REPLACE, liveness=Liveness.ACCEPT, durability=Durability.NO_SYNC)
    plan = replace(plans(home)["migrate"], options=replace(QUICK, writing=forced, force=Force.PLAIN_FILES))
    assert outcomes(resumed(home, plan=plan)) == "RWR"
    assert files(home / "out") == files(home / "spilled")


def test_what_a_lost_worker_noted_counts(home: Path) -> None:
    plan = plans(home)["migrate"]
    begun: list[Transfer] = []

    def tick(_size: int) -> None:
        begun.append(plan.transfers[len(begun)])
        if len(begun) == 2:
            list(replace(plan, transfers=(begun[1],), journal=Journal(home / "journal", Durability.NO_SYNC)).run(Batch()))
        if len(begun) >= 2:
            raise UnknownOutcomeError("the scheduler is gone")

    results = resumed(home, batch=Batch(progress=tick))
    assert outcomes(results) == "WWF"
    assert results[1].ledger.sites == 2
    assert isinstance(results[2].error, UnknownOutcomeError)
    assert outcomes(resumed(home)) == "RRW"
