"""When a session may be changed in place."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from sessionkit.errors import InUseError, RefusedError
from sessionkit.ops.guards import Force, require_idle, require_reader, require_unpacked
from tests.ops.runs import FIXTURES, SESSIONS, age, case_of

HOLD = 'import sys; file = open(sys.argv[1], "a"); print("ready", flush=True); sys.stdin.read()'
READS_REFERENCES = FIXTURES / "native" / "spilled" / "session.jsonl"


@pytest.mark.parametrize(
    ("seconds", "why"),
    [
        (0, r"it was written 0\.[0-9] seconds ago"),
        (4.5, r"it was written 4\.[5-9] seconds ago"),
        (-60, r"it was written 0\.0 seconds ago"),  # a clock that runs ahead
    ],
)
def test_a_young_session_seems_to_be_in_use(session: Path, seconds: float, why: str) -> None:
    age(session, seconds)
    with pytest.raises(InUseError) as caught:
        require_idle(session, session.stat())
    assert re.fullmatch(why, caught.value.why)
    assert "--live" in caught.value.hint


@pytest.mark.parametrize("name", ["s.jsonl.gz", "s.jsonl.zst"])
def test_an_archive_is_not_changed_in_place(name: str) -> None:
    with pytest.raises(RefusedError, match="archive"):
        require_unpacked(Path(name))


def test_after_five_seconds_a_session_is_idle(session: Path) -> None:
    age(session, 5.5)
    require_idle(session, session.stat())


def test_a_session_that_another_process_has_open_is_in_use(session: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(session)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        age(session)
        with pytest.raises(InUseError, match=f"process {process.pid} .* has the file open for writing"):
            require_idle(session, session.stat())
        process.communicate()
    require_idle(session, session.stat())


@pytest.mark.parametrize("path", [path for path in SESSIONS if path != READS_REFERENCES], ids=case_of)
@pytest.mark.parametrize("force", list(Force))
def test_only_plain_files_may_be_forced(path: Path, force: Force) -> None:
    is_plain = path.parents[1].name == "plain"
    if is_plain and force is Force.PLAIN_FILES:
        require_reader(path, force)
        return
    with pytest.raises(RefusedError, match="not migrated in place") as caught:
        require_reader(path, force)
    assert ("--force" in caught.value.why) == is_plain
    assert "--out DIR" in caught.value.hint


@pytest.mark.parametrize("force", list(Force))
def test_an_agent_that_reads_references_may_find_them(force: Force) -> None:
    require_reader(READS_REFERENCES, force)
