"""Sessions of my-pi-agent with pictures of any number and size, and runs of the program on them."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.cli.app import run
from sessionkit.core.files import is_temporary
from sessionkit.core.files.processes import host_token
from sessionkit.errors import ExitCode
from tests.pictures import picture

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SPILLED = Path(__file__).parents[2] / "fixtures" / "native" / "spilled"
"""A session whose agent keeps images in files, with its assets: the only kind that may be migrated in place."""

OLD_TIME = 1_700_000_000_123_456_789
"""Nanoseconds since 1970: long ago, so that no session seems to be in use."""

HEADER = b'{"id":"s","created_at":"2026-06-01T10:00:00+00:00","cwd":"/home/user","current_id":"e1","root_id":"e1","metadata":{}}\n'
PROGRAM = (sys.executable, "-m", "sessionkit")

_ASSET = re.compile(rb"images/([0-9a-f]{64}\.[a-z]+)")


def png(number: int, size: int = 0) -> bytes:
    """One of many pictures, with so many bytes behind its end that no compression would shorten."""
    return picture("PNG", size=(16 + number, 16)) + (os.urandom(size) if size else b"")


def image_line(image: bytes, number: int = 0) -> bytes:
    """A message of the user with the image in it."""
    data = base64.b64encode(image)
    block = b'{"type":"image","mime_type":"image/png","data":"%s"}' % data
    return b'{"type":"message","id":"i%d","parentId":null,"message":{"role":"user","content":[%s]}}\n' % (number, block)


def session_of(images: Iterable[bytes]) -> bytes:
    """A session of the generation that keeps images in the lines."""
    return HEADER + b"".join(image_line(image, number) for number, image in enumerate(images))


def write_session(path: Path, text: bytes) -> Path:
    """Write a session that looks old, and is nobody else's to read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)
    path.chmod(0o640)
    os.utime(path, ns=(OLD_TIME, OLD_TIME))
    return path


def do(*words: str | Path) -> None:
    """Run a command to its end in this process."""
    assert run([*map(str, words), "--quiet"]) is ExitCode.OK


def start(*words: str | Path) -> subprocess.Popen[bytes]:
    """Start the program as a process of its own."""
    return subprocess.Popen([*PROGRAM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def files_below(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def leftovers(folder: Path) -> list[Path]:
    return [path for path in files_below(folder) if is_temporary(path.name)]


def require_whole_assets(store: Path) -> None:
    """Every file but temporary ones and the lock must hold what hashes to its name."""
    for path in files_below(store):
        if not is_temporary(path.name) and path.name != ".lock":
            assert hashlib.sha256(path.read_bytes()).hexdigest() == path.stem


def assets_of(text: bytes) -> set[str]:
    """File names of the assets that a session names."""
    return {name.decode() for name in _ASSET.findall(text)}


def temporary_of_the_dead() -> str:
    """Name a temporary file of a process of this host that is gone."""
    with subprocess.Popen(["true"]) as process:
        pass
    return f".sessionkit-{process.pid}-{host_token()}000000000000"
