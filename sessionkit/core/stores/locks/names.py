"""Names of the files that locks are made of."""

from __future__ import annotations

import re
from typing import Final

LOCK: Final = ".lock"
"""The file that is locked where the file system has locks."""

_FILE = r"\.lock\.[A-Za-z0-9._-]{1,64}\.[1-9][0-9]{0,8}\.[0-9a-f]{12}"


def is_lock_file(name: str) -> bool:
    """Whether a name is one of `.lock.<host>.<pid>.<random>`, which stand for locks where the file system has none."""
    return re.fullmatch(_FILE, name) is not None


def is_lock(name: str) -> bool:
    """Whether a name belongs to a lock of either kind."""
    return name == LOCK or is_lock_file(name)
