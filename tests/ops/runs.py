"""Carry out plans as the commands do, on sessions put together by hand, and look at what they leave."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.base64 import encode
from sessionkit.ops import migrate, restore
from sessionkit.ops.batch import Batch
from sessionkit.ops.failed import Failed
from sessionkit.ops.migrate import Migrated
from sessionkit.ops.restore import Restored
from sessionkit.ops.sources import Descent, find_sources
from sessionkit.ops.targets import Destination, plan_transfers
from tests.pictures import picture

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.assets import AssetName
    from sessionkit.errors import SessionkitError
    from sessionkit.ops.targets import Transfer

FIXTURES = Path(__file__).parents[2] / "fixtures"
SESSIONS = sorted(FIXTURES.glob("*/*/session.jsonl"))
"""What the real agents wrote."""

_DIE_WRITING = """
import os, sys
from sessionkit.core.files.temporary import create_temporary
for folder in sys.argv[1:]:
    create_temporary(os.open(folder, os.O_RDONLY))
os._exit(1)
"""

AT_ONCE = Batch()
Result: TypeAlias = Migrated | Restored | Failed


def case_of(path: Path) -> str:
    """Name of a session's folder of the fixtures, for the names of tests."""
    return str(path.parent.relative_to(FIXTURES))


def transfers(paths: Iterable[Path], to: Destination) -> tuple[Transfer, ...]:
    return tuple(plan_transfers(find_sources(map(str, paths), Descent.RECURSIVE), to))


def migrate_all(paths: Iterable[Path], to: Destination, options: migrate.Options | None = None, batch: Batch = AT_ONCE) -> list[Result]:
    return list(migrate.Plan(transfers(paths, to), options or migrate.Options()).run(batch))


def restore_all(paths: Iterable[Path], to: Destination, options: restore.Options | None = None, batch: Batch = AT_ONCE) -> list[Result]:
    return list(restore.Plan(transfers(paths, to), options or restore.Options()).run(batch))


def migrate_one(path: Path, to: Destination, options: migrate.Options | None = None, batch: Batch = AT_ONCE) -> Migrated:
    [result] = migrate_all([path], to, options, batch)
    assert isinstance(result, Migrated), result
    return result


def restore_one(path: Path, to: Destination, options: restore.Options | None = None, batch: Batch = AT_ONCE) -> Restored:
    [result] = restore_all([path], to, options, batch)
    assert isinstance(result, Restored), result
    return result


def error_of(results: list[Result]) -> SessionkitError:
    """Error of a run that was to fail."""
    [result] = results
    assert isinstance(result, Failed), result
    return result.error


@cache
def png(number: int) -> bytes:
    """One of a series of different pictures."""
    return picture("PNG", size=(number + 1, 40))


@cache
def large_bmp() -> bytes:
    """A picture of 5.2 MB, which is more than is read at once, and of a size that is no multiple of three."""
    return picture("BMP", size=(1333, 1301))


def message(*media: bytes) -> bytes:
    """One line with media in image blocks."""
    blocks = b",".join(b'{"type":"image","data":"%b","mimeType":"image/png"}' % encode(data) for data in media)
    return b'{"role":"user","content":[%b]}\n' % blocks


def text(size: int) -> bytes:
    """Lines without media, of about that many bytes."""
    line = b'{"role":"user","content":"%b"}\n' % (b"word " * 200)
    return line * (size // len(line) + 1)


def native(asset: AssetName) -> bytes:
    """A line that names an asset the way an agent does that keeps images in files itself."""
    return b'{"message":{"content":[{"type":"image","asset_path":"%b","mime_type":"image/png"}]}}\n' % asset.reference.encode()


def write(path: Path, data: bytes, mode: int = 0o600) -> Path:
    """Write a session that nobody has touched for an hour."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(mode)
    return age(path)


def age(path: Path, seconds: float = 3600) -> Path:
    os.utime(path, (time.time() - seconds,) * 2)
    return path


def files(folder: Path) -> dict[str, bytes]:
    """Content of every regular file below, the temporary ones included."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def stamps(folder: Path) -> dict[str, tuple[int, int, int]]:
    """What changes when a file is replaced or written to: inode, modification time, size."""
    found = {str(path.relative_to(folder)): path.lstat() for path in folder.rglob("*") if not path.is_dir()}
    return {name: (status.st_ino, status.st_mtime_ns, status.st_size) for name, status in found.items()}


def die_writing(*folders: Path) -> None:
    """Let a process end in the middle of writing to these folders."""
    subprocess.run([sys.executable, "-c", _DIE_WRITING, *folders], check=False)


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """Let the system refuse to make a file larger."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)
