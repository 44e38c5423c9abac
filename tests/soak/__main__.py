"""Load and faults: 8 writers, 2 collectors and 2 readers on the same folders; some are killed, and one disk is full.

No asset that a session names may ever be missing, and no half file visible. Exits with 1 if anything was lost.
"""

from __future__ import annotations

import argparse
import os
import secrets
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.soak.arena import Arena
from tests.soak.crew import COLLECTORS, READERS, WRITERS, Crew, Tally
from tests.soak.material import make

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAMESPACE = ("unshare", "--mount", "--propagation", "private") + (() if os.geteuid() == 0 else ("--map-root-user",))
_INSIDE = "--inside"
_DISK = "1m"
_SESSIONS = 40
_MOST_TOLD = 20


def main() -> int:
    """Run it, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120, help="how long to begin new operations (%(default)s)")
    parser.add_argument("--operations", type=int, help="begin no more than so many")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1 << 32), help="what is done, though not when (random)")
    parser.add_argument("--folder", type=Path, help="where to work; kept (a temporary one)")
    parser.add_argument(_INSIDE, action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.inside and subprocess.run([*_NAMESPACE, "true"], capture_output=True, check=False).returncode == 0:
        words = [sys.executable, "-m", "tests.soak", *sys.argv[1:], "--seed", str(options.seed), _INSIDE]
        return subprocess.run([*_NAMESPACE, *words], check=False).returncode
    with (
        tempfile.TemporaryDirectory(prefix="sessionkit-soak-") as temporary,
        _arenas(options.folder or Path(temporary)) as (arenas, has_disk),
    ):
        folder = arenas[0].folder.parent
        crew = Crew(arenas, make(folder / "material", options.seed, _SESSIONS), folder / "scratch", options.seed, has_disk=has_disk)
        begin = time.monotonic()
        crew.work(options.seconds, options.operations)
        _report(crew, time.monotonic() - begin)
    return bool(crew.tally.losses)


@contextmanager
def _arenas(folder: Path) -> Iterator[tuple[list[Arena], bool]]:
    """Make the folders, one of them on a small disk, and tell whether there may be one here."""
    disk = folder / "disk"
    for path in (disk, folder / "scratch", folder / "shared"):
        path.mkdir(parents=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={_DISK}", "none", disk], capture_output=True, check=False)
    has_disk = mounted.returncode == 0
    try:
        (disk / "out").mkdir()
        yield [Arena(folder / "shared"), Arena(disk / "out", is_small=True)], has_disk
    finally:
        if has_disk:
            subprocess.run(["umount", disk], check=True)


def _report(crew: Crew, seconds: float) -> None:
    tally = crew.tally
    print(f"seed {crew.seed}, {seconds:.0f} s, {WRITERS} writers, {COLLECTORS} collectors, {READERS} readers, {_disk(crew)}")
    print(f"{'operation':<12}{'processes':>12}{'killed -9':>12}{'disk full':>12}{'meanwhile':>12}")
    for kind in sorted(tally.ended):
        refused = (tally.refused[kind, why] for why in ("full disk", "meanwhile"))
        print(f"{kind:<12}" + "".join(f"{number:>12,}" for number in (tally.ended[kind], tally.killed[kind], *refused)))
    kept = sum(len(arena.sessions) for arena in crew.arenas)
    print(f"{tally.operations:,} operations, {tally.killed.total():,} kills, {_full(tally):,} refusals of a full disk")
    print(f"{tally.removed:,} sessions removed, {kept:,} left; {tally.looks:,} looks in between, and at all at the end")
    losses = list(dict.fromkeys(tally.losses))
    print(f"losses: {len(losses)}")
    for loss in losses[:_MOST_TOLD]:
        print(f"  {loss}")
    sys.stdout.flush()


def _disk(crew: Crew) -> str:
    return "one disk of 1 MiB" if crew.has_disk else "one limit of the file size"


def _full(tally: Tally) -> int:
    return sum(number for (_, why), number in tally.refused.items() if why == "full disk")


if __name__ == "__main__":
    sys.exit(main())
