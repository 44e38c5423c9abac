"""Tests of what the system refuses: root is refused nothing, so under root they run in `make system-test`, without its capabilities."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_DAC_OVERRIDE = 1 << 1


def _may_do_anything() -> bool:
    if os.geteuid() != 0:
        return False
    try:
        status = Path("/proc/self/status").read_text()
    except FileNotFoundError:  # no Linux: root is root
        return True
    effective = next(line.split()[1] for line in status.splitlines() if line.startswith("CapEff:"))
    return bool(int(effective, 16) & _DAC_OVERRIDE)


unprivileged = pytest.mark.skipif(_may_do_anything(), reason="root may do anything; tests/system/test_unprivileged.py runs it")
