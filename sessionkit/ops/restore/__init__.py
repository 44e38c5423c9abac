"""restore: references become inline media again, and a spilled session the one it was, byte for byte."""

from __future__ import annotations

from sessionkit.ops.restore.options import Missing, Native, Options, Restored, RestoreLedger
from sessionkit.ops.restore.plan import Plan

__all__ = ["Missing", "Native", "Options", "Plan", "RestoreLedger", "Restored"]
