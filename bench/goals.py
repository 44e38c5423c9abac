"""The goals, as a table. A command's words in capitals stand for programs and paths: see workloads.py."""

from __future__ import annotations

import shutil

from bench.rows import AtLeast, AtMost, BodyPeak, Clock, Peak, Ratio, Row
from bench.workloads import Workload

CPU, WALL = Clock
NONE, PI, CLAUDE, MID, TEXTS, PI_1_GB, PI_3_GB, HUNDRED = Workload

NAIVE = "PYTHON bench/naive_spill.py OUT FILES"
NODE = "node bench/naive_spill.mjs OUT FILES"
FLOOR = "PYTHON bench/floor.py OUT IMAGES FILES"
NAIVE_RESTORE = "PYTHON bench/naive_restore.py OUT SPILLED_FILES"
NAIVE_ESTIMATE = "PYTHON bench/naive_estimate.py FILES"
NAIVE_BODY = "PYTHON bench/naive_body.py FILES"
HASH_LOOP = "PYTHON bench/hash_loop.py IMAGES"
IMPORT_TYPER = 'PYTHON -c "import typer"'

DURABLE_1 = "SESSIONKIT migrate -r SESSIONS --out OUT -j 1"
DURABLE_2 = "SESSIONKIT migrate -r SESSIONS --out OUT -j 2"
MIGRATE_1 = f"{DURABLE_1} --no-fsync"
MIGRATE_2 = f"{DURABLE_2} --no-fsync"
REHEARSE_1 = f"{DURABLE_1} --dry-run"
REHEARSE_2 = f"{DURABLE_2} --dry-run"
RESTORE_1 = "SESSIONKIT restore -r SPILLED --out OUT --no-fsync -j 1"
RESTORE_2 = "SESSIONKIT restore -r SPILLED --out OUT --no-fsync -j 2"
VERIFY_1 = "SESSIONKIT verify -r SPILLED -j 1"
VERIFY_2 = "SESSIONKIT verify -r SPILLED -j 2"
ESTIMATE_1 = "SESSIONKIT estimate -r SESSIONS -j 1"
ESTIMATE_2 = "SESSIONKIT estimate -r SESSIONS -j 2"
ESTIMATE_SMALL = "SESSIONKIT estimate fixtures/plain/chat/session.jsonl"
REHYDRATE = "SESSIONKIT rehydrate SPILLED_FILES --provider openai-chat"
VERSION = "SESSIONKIT --version"
HELP = "SESSIONKIT --help"

_ALL: tuple[Row, ...] = (
    Ratio(1, "migrate -j 1, 300 MB of Pi: naive / ours", PI, NAIVE, MIGRATE_1, CPU, AtLeast(3.2)),
    Ratio(1, "migrate -j 1, 300 MB of Claude Code: naive / ours", CLAUDE, NAIVE, MIGRATE_1, CPU, AtLeast(3.8)),
    Ratio(1, "migrate -j 1, 300 MB of Pi: ours / floor", PI, MIGRATE_1, FLOOR, CPU, AtMost(1.9)),
    Ratio(1, "migrate -j 1, 300 MB of Claude Code: ours / floor", CLAUDE, MIGRATE_1, FLOOR, CPU, AtMost(1.9)),
    Ratio(1, "migrate -j 1, 300 MB of Pi: Node.js / ours", PI, NODE, MIGRATE_1, CPU),
    Ratio(1, "migrate -j 1, 300 MB of Claude Code: Node.js / ours", CLAUDE, NODE, MIGRATE_1, CPU),
    Ratio(2, "migrate -j 2, 300 MB of Pi: naive / ours", PI, NAIVE, MIGRATE_2, WALL, AtLeast(4.5)),
    Ratio(2, "migrate -j 2, 100 files of 5 MB: naive / ours", MID, NAIVE, MIGRATE_2, WALL, AtLeast(5.5)),
    Ratio(3, "migrate --dry-run -j 1, 2,000 files without an image: naive / ours", TEXTS, NAIVE, REHEARSE_1, CPU, AtLeast(8)),
    Ratio(3, "migrate --dry-run -j 2, 2,000 files without an image: naive / ours", TEXTS, NAIVE, REHEARSE_2, WALL, AtLeast(8)),
    Ratio(3, "migrate -j 1, 2,000 files without an image: naive / ours", TEXTS, NAIVE, MIGRATE_1, CPU, AtLeast(4)),
    Ratio(3, "migrate -j 2, 2,000 files without an image: naive / ours", TEXTS, NAIVE, MIGRATE_2, WALL, AtLeast(4)),
    Peak(4, "migrate, 0.3 / 1 / 3 GB of Pi: peak memory", (PI, PI_1_GB, PI_3_GB), (MIGRATE_1, MIGRATE_2)),
    Peak(4, "restore, 0.3 / 1 / 3 GB of Pi: peak memory", (PI, PI_1_GB, PI_3_GB), (RESTORE_1, RESTORE_2)),
    Peak(4, "verify, 0.3 / 1 / 3 GB of Pi: peak memory", (PI, PI_1_GB, PI_3_GB), (VERIFY_1, VERIFY_2)),
    Peak(4, "migrate, 300 MB of Claude Code: peak memory", (CLAUDE,), (MIGRATE_1, MIGRATE_2)),
    Peak(4, "restore, 300 MB of Claude Code: peak memory", (CLAUDE,), (RESTORE_1, RESTORE_2)),
    Peak(4, "verify, 300 MB of Claude Code: peak memory", (CLAUDE,), (VERIFY_1, VERIFY_2)),
    Ratio(5, "migrate -j 1, 300 MB of Pi: durable / --no-fsync", PI, DURABLE_1, MIGRATE_1, WALL, AtMost(1.3)),
    Ratio(5, "migrate -j 1, 300 MB of Claude Code: durable / --no-fsync", CLAUDE, DURABLE_1, MIGRATE_1, WALL, AtMost(1.3)),
    Ratio(5, "migrate -j 2, 300 MB of Pi: durable / --no-fsync", PI, DURABLE_2, MIGRATE_2, WALL, AtMost(1.3)),
    Ratio(5, "migrate -j 2, 100 files of 5 MB: durable / --no-fsync", MID, DURABLE_2, MIGRATE_2, WALL, AtMost(1.3)),
    Ratio(6, "restore -j 1, 300 MB of Pi: naive / ours", PI, NAIVE_RESTORE, RESTORE_1, CPU, AtLeast(3)),
    Ratio(6, "restore -j 1, 300 MB of Claude Code: naive / ours", CLAUDE, NAIVE_RESTORE, RESTORE_1, CPU, AtLeast(3)),
    Ratio(6, "restore -j 2, 100 files of 5 MB: naive / ours", MID, NAIVE_RESTORE, RESTORE_2, WALL, AtLeast(3)),
    Ratio(7, "verify -j 1, 3 GB of Pi: ours / hashlib loop", PI_3_GB, VERIFY_1, HASH_LOOP, WALL, AtMost(1.15)),
    Ratio(7, "verify, 3 GB of Pi: -j 1 / -j 2", PI_3_GB, VERIFY_1, VERIFY_2, WALL, AtLeast(1.7)),
    Ratio(8, "estimate -j 1, 2,000 files without an image: naive / ours", TEXTS, NAIVE_ESTIMATE, ESTIMATE_1, CPU, AtLeast(2)),
    Ratio(8, "estimate -j 2, 2,000 files without an image: naive / ours", TEXTS, NAIVE_ESTIMATE, ESTIMATE_2, WALL, AtLeast(3.5)),
    Ratio(8, "estimate -j 1, 100 files of 5 MB: naive / ours", MID, NAIVE_ESTIMATE, ESTIMATE_1, CPU),
    Ratio(8, "estimate -j 2, 100 files of 5 MB: naive / ours", MID, NAIVE_ESTIMATE, ESTIMATE_2, WALL),
    Ratio(9, "--version / import typer", NONE, VERSION, IMPORT_TYPER, WALL, AtMost(1.5)),
    Ratio(9, "--help / import typer", NONE, HELP, IMPORT_TYPER, WALL, AtMost(2.5)),
    Ratio(9, "estimate of one small session / import typer", NONE, ESTIMATE_SMALL, IMPORT_TYPER, CPU, AtMost(2)),
    Ratio(
        10,
        "rehydrate of a spilled session with 100 images: ours / orjson on the inline one",
        HUNDRED,
        REHYDRATE,
        NAIVE_BODY,
        CPU,
        AtMost(1.5),
    ),
    Ratio(
        10,
        "rehydrate of a spilled session with 100 images: ours / orjson on the inline one",
        HUNDRED,
        REHYDRATE,
        NAIVE_BODY,
        WALL,
        AtMost(1.5),
    ),
    BodyPeak(10, "rehydrate of a spilled session with 100 images: peak memory", HUNDRED, REHYDRATE),
)


def _can_run(row: Row) -> bool:
    return all(case.command != NODE for case in row.cases) or shutil.which("node") is not None


GOALS = tuple(row for row in _ALL if _can_run(row))
"""The rows that this machine has the programs for."""
