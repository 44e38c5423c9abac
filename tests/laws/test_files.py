"""The same laws between real files, with the commands' own plans; and a line so long that memory must not grow with copies of it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import given, settings

from sessionkit.core.base64 import encode
from sessionkit.core.files import Durability
from sessionkit.ops import migrate, restore
from sessionkit.ops.batch import Batch
from sessionkit.ops.sources import Descent, find_sources
from sessionkit.ops.targets import OneFile, plan_transfers
from sessionkit.ops.writing import Writing
from tests.laws.lines import sessions
from tests.laws.pipeline import runs_in
from tests.pictures import picture

if TYPE_CHECKING:
    from sessionkit.ops.targets import Transfer

MIB = 1 << 20
WRITING = Writing(durability=Durability.NO_SYNC)
PEAK = """
import re, sys
from tests.laws.test_files import migrated, restored
from pathlib import Path
source, spilled, back = map(Path, sys.argv[1:])
migrated(source, spilled)
restored(spilled, back)
print(re.search("VmHWM:(.*)kB", Path("/proc/self/status").read_text())[1])
"""


def transfers(source: Path, target: Path) -> tuple[Transfer, ...]:
    return tuple(plan_transfers(find_sources([str(source)], Descent.REFUSE_FOLDERS), OneFile(target)))


def migrated(source: Path, target: Path) -> migrate.Migrated:
    (result,) = migrate.Plan(transfers(source, target), migrate.Options(writing=WRITING)).run(Batch())
    assert isinstance(result, migrate.Migrated)
    return result


def restored(source: Path, target: Path) -> restore.Restored:
    (result,) = restore.Plan(transfers(source, target), restore.Options(writing=WRITING)).run(Batch())
    assert isinstance(result, restore.Restored)
    return result


@settings(max_examples=40, deadline=None)
@given(sessions)
def test_round_trip_through_files(session: bytes) -> None:
    with tempfile.TemporaryDirectory() as place:
        source, spilled, twice, back = (Path(place) / name for name in ("a.jsonl", "spilled/a.jsonl", "spilled/b.jsonl", "back.jsonl"))
        source.write_bytes(session)
        ledger = migrated(source, spilled).ledger
        assert (ledger.read, ledger.written) == (len(session), spilled.stat().st_size)
        migrated(spilled, twice)
        assert twice.read_bytes() == spilled.read_bytes()
        if not runs_in(session):
            restored(spilled, back)
            assert back.read_bytes() == session


def test_memory_is_bounded_by_the_longest_line(tmp_path: Path) -> None:
    image = encode(picture("BMP", size=(3600, 3600)))
    line = b'{"type":"image","data":"%b"}\n' % image
    source, spilled, back = (tmp_path / name for name in ("a.jsonl", "spilled.jsonl", "back.jsonl"))
    source.write_bytes(line + b"{}\n" + line)
    assert len(line) > 49 * MIB
    command = [sys.executable, "-c", PEAK, str(source), str(spilled), str(back)]
    peak = int(subprocess.run(command, check=True, capture_output=True, cwd=Path(__file__).parents[2]).stdout) * 1024
    assert spilled.stat().st_size < 1000
    assert back.read_bytes() == source.read_bytes()
    assert peak < 5 * len(line)  # 80 MiB are the interpreter's with what this test imports
