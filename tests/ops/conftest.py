from __future__ import annotations

import os
import subprocess
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import pytest

from tests.ops.runs import message, png, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path


class Feed(Protocol):
    def __call__(self, data: bytes) -> AbstractContextManager[None]: ...


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """Three lines with two pictures, one of them twice."""
    return write(tmp_path / "home" / "session.jsonl", message(png(0)) + message(png(1), png(0)) + b'{"role":"user","content":"bye"}\n')


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("only root may mount")
    yield disk
    subprocess.run(["umount", disk], check=True)


@pytest.fixture
def standard_input() -> Feed:
    """Let a pipe be standard input, and give it some bytes."""
    return _feed


@contextmanager
def _feed(data: bytes) -> Iterator[None]:
    kept = os.dup(0)
    out, into = os.pipe()
    os.dup2(out, 0)
    os.close(out)
    writer = threading.Thread(target=_pour, args=(into, data))
    writer.start()
    try:
        yield
    finally:
        os.dup2(kept, 0)
        os.close(kept)
        writer.join()


def _pour(descriptor: int, data: bytes) -> None:
    with open(descriptor, "wb") as pipe:
        pipe.write(data)
