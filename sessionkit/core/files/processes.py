"""Processes of this host: which of them still run."""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from functools import cache
from pathlib import Path

_BEGAN = 19
"""Where the start of a process stands in `/proc/<pid>/stat`, behind its name in brackets (proc_pid_stat(5), field 22)."""


@cache
def host_token() -> str:
    """Sum up the host's name and its process namespace in four digits: containers may share the name but not the process ids."""
    namespace = Path("/proc/self/ns/pid").resolve().name
    return f"{zlib.crc32(f'{os.uname().nodename} {namespace}'.encode()):08x}"[:4]


def is_alive(pid: int) -> bool:
    """Whether a process of this host still runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return _status(pid)[:1] != [b"Z"]


def began(pid: int) -> int:
    """Tell when a process was started, in clock ticks since the host was; 0 if that cannot be told. Process ids are given again."""
    status = _status(pid)
    return int(status[_BEGAN]) if status else 0


def _status(pid: int) -> list[bytes]:
    """Fields behind the name, the state first (Z: it has ended, and its parent has not asked how; in many containers nobody ever does)."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b") ")[2].split()
    return []
