"""Kill, fail or interrupt a repair at each of the system calls by which it changes the disk."""

from __future__ import annotations

import errno
import os
import re
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import ExitCode
from tests.system.repairs import REPAIRS, Repair, calls_of
from tests.system.sessions import leftovers
from tests.system.strace import Call, Ran, run_traced

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.system

DEEDS = {"killing": ("signal=SIGKILL",), "failure": ("error=ENOSPC", "error=EIO"), "interruption": ("signal=SIGTERM",)}
"""What else can be done to a run, the tests of the other commands do."""


@dataclass(frozen=True)
class Fault:
    """What is done at a call of a repair, in strace's words."""

    repair: str
    call: Call
    deed: str

    def __str__(self) -> str:
        return f"{self.repair}: {self.deed} at {self.call}"

    @property
    def is_published(self) -> bool:
        """Whether the session has its name by then."""
        calls = calls_of(self.repair)
        renaming = next(call for call in calls if call.name.startswith("rename") and call.target == "session.jsonl")
        return calls.index(self.call) > calls.index(renaming)

    @property
    def is_of_lock(self) -> bool:
        return ".lock" in self.call.target


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Look for the calls only where these tests are wanted: that takes seconds."""
    if "not system" in metafunc.config.option.markexpr:
        return
    for name in set(DEEDS).intersection(metafunc.fixturenames):
        faults = [Fault(repair, call, deed) for repair in REPAIRS for call in calls_of(repair) for deed in DEEDS[name]]
        metafunc.parametrize(name, faults, ids=str)


def run_into(fault: Fault, repair: Repair) -> Ran:
    """Run into the fault, and make sure that it was this call."""
    counted = ("-P", str(repair.root / fault.call.folder)) if fault.call.folder else ()
    ran = run_traced(repair.command, repair.root, "-e", f"inject={fault.call.name}:{fault.deed}:when={fault.call.when}", *counted)
    assert fault.call in ran.calls
    return ran


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "root"
    root.mkdir()
    return root


def test_killed_at_any_call_it_leaves_one_of_the_texts_and_a_way_back(root: Path, killing: Fault) -> None:
    repair = REPAIRS[killing.repair](root)
    ran = run_into(killing, repair)
    assert ran.code == -signal.SIGKILL
    assert ran.calls[-1] == killing.call
    repair.require_whole()
    repair.finish()


def test_an_error_of_the_system_changes_nothing(root: Path, failure: Fault) -> None:
    repair = REPAIRS[failure.repair](root)
    before = repair.photograph()
    ran = run_into(failure, repair)
    if ran.code == ExitCode.OK:
        assert failure.is_of_lock, "only what nothing depends on may be passed over"
    else:
        assert ran.code == ExitCode.FAILED
        require_message(ran.stderr, failure)
    repair.require_whole()
    if failure.is_published:
        assert repair.session.read_bytes() == repair.new  # whole and in place, but not known to be durable
    elif ran.code:
        assert repair.photograph() == before
    if "unlink" not in failure.call.name:
        assert leftovers(root) == []
    repair.finish()


def test_interrupted_at_any_call_it_cleans_up(root: Path, interruption: Fault) -> None:
    repair = REPAIRS[interruption.repair](root)
    before = repair.photograph()
    ran = run_into(interruption, repair)
    assert ran.code == ExitCode.TERMINATED
    repair.require_whole()
    if repair.session.read_bytes() == repair.old:
        assert repair.photograph() == before
    assert [path for path in leftovers(root) if "000000000000" not in path.name] == []
    repair.finish()


def require_message(stderr: str, fault: Fault) -> None:
    """One error that names a path, the system's words, and the next step."""
    words = os.strerror(getattr(errno, fault.deed.removeprefix("error="))).lower()
    assert re.fullmatch(rf"error: /\S+: [a-z ]+: {words}\n(  while working on \S+\n)?  next: .+\n", stderr.lower())
