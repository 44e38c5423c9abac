"""Kill, fail or interrupt a run at each of the system calls by which it changes the disk."""

from __future__ import annotations

import errno
import os
import re
import signal
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import ExitCode
from tests.system.faults import Fault, at_the_first_calls, calls_of
from tests.system.scenes import SCENES, Scene
from tests.system.sessions import leftovers
from tests.system.strace import Ran, run_traced

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.system

ERRORS = ("ENOSPC", "EIO", "EROFS")
INTERRUPTIONS = {"signal=SIGINT": ExitCode.INTERRUPTED, "signal=SIGTERM": ExitCode.TERMINATED}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Look for the calls only where these tests are wanted: that takes seconds."""
    if "not system" in metafunc.config.option.markexpr:
        return
    match metafunc.fixturenames:
        case [*_, "killing"]:
            metafunc.parametrize("killing", at_the_first_calls(3, "signal=SIGKILL"), ids=str)
        case [*_, "failure"]:
            metafunc.parametrize("failure", at_the_first_calls(1, *(f"error={name}" for name in ERRORS)), ids=str)
        case [*_, "interruption"]:
            metafunc.parametrize("interruption", at_the_first_calls(1, *INTERRUPTIONS), ids=str)


def run_into(fault: Fault, scene: Scene, *options: str) -> Ran:
    """Run the scene into the fault, and make sure that it was this call."""
    ran = run_traced(scene.command, scene.root, *fault.options(scene.root), *options)
    assert fault.call in ran.calls
    return ran


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "root"
    root.mkdir()
    return root


def test_killed_at_any_call_a_run_leaves_the_old_text_or_the_new_one(root: Path, killing: Fault) -> None:
    scene = SCENES[killing.scene](root)
    ran = run_into(killing, scene)
    assert ran.code == -signal.SIGKILL
    assert ran.calls[-1] == killing.call
    scene.require_whole()
    scene.finish()


def test_an_error_of_the_system_changes_nothing(root: Path, failure: Fault) -> None:
    scene = SCENES[failure.scene](root)
    before = scene.photograph()
    ran = run_into(failure, scene)
    if failure.call.name in {"unlinkat", "ftruncate"}:  # what is not wanted any more, and can wait for the next run: nothing depends on it
        assert (ran.code, ran.stderr) == (ExitCode.OK, "")
    else:
        assert ran.code == ExitCode.FAILED
        require_message(ran.stderr, failure)
    scene.require_whole()
    if is_published_at(failure):
        assert scene.text == scene.new  # whole and in place, but not known to be durable
    else:
        assert scene.photograph() == before
    if "unlink" not in failure.call.name:
        assert leftovers(root) == []
    scene.finish()


def test_interrupted_at_any_call_a_run_cleans_up(root: Path, interruption: Fault) -> None:
    scene = SCENES[interruption.scene](root)
    ran = run_into(interruption, scene)
    assert ran.code == INTERRUPTIONS[interruption.deed]
    assert ran.stderr.splitlines() == [f"{interrupted_word(interruption)}: what was begun is undone, what was finished stays"]
    scene.require_whole()
    assert [path for path in leftovers(root) if "000000000000" not in path.name] == []
    scene.finish()


@pytest.mark.parametrize("scene", ["migrate --out", "migrate --in-place", "restore --out"])
def test_what_cannot_be_removed_either_is_removed_by_the_next_run(root: Path, scene: str) -> None:
    staged = SCENES[scene](root)
    before = staged.photograph()
    draft = next(call for call in calls_of(scene) if call.name == "writev")
    ran = run_into(Fault(scene, draft, "error=ENOSPC"), staged, "-e", "inject=unlinkat:error=EIO")
    assert ran.code == ExitCode.FAILED
    require_message(ran.stderr, Fault(scene, draft, "error=ENOSPC"))
    assert staged.photograph() == before
    assert leftovers(root) != []
    staged.finish()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a session of another user")
def test_who_may_not_give_a_file_away_keeps_it(root: Path) -> None:
    scene = SCENES["migrate --out"](root)
    os.chown(scene.source, 65534, 65534)
    assert run_traced(scene.command, root, "-e", "inject=fchown:error=EPERM").code == ExitCode.OK
    assert scene.target.stat().st_uid == 0
    scene.finish()


def test_who_may_not_touch_an_asset_reuses_it_all_the_same(root: Path) -> None:
    scene = SCENES["migrate --out again"](root)
    touch = next(call for call in calls_of("migrate --out again") if call.name == "utimensat")
    assert run_into(Fault("", touch, "error=EPERM"), scene).code == ExitCode.OK
    scene.finish()


def is_published_at(fault: Fault) -> bool:
    """Whether the session has its name by then: what fails later is the sync of the folder."""
    calls = calls_of(fault.scene)
    renamings = [call for call in calls if call.name.startswith("rename") and call.target.endswith("session.jsonl")]
    return bool(renamings) and calls.index(fault.call) > calls.index(renamings[0])


def require_message(stderr: str, fault: Fault) -> None:
    """One error that names a path, the system's words, the session if the path is another one, and the next step."""
    words = os.strerror(getattr(errno, fault.deed.removeprefix("error="))).lower()
    assert re.fullmatch(rf"error: /\S+: cannot be written: {words}\n(  while working on \S+\n)?  next: .+\n", stderr.lower())


def interrupted_word(fault: Fault) -> str:
    return "interrupted" if fault.deed == "signal=SIGINT" else "terminated"
