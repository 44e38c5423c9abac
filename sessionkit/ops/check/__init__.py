"""check: what breaks a session, or will, and what is only large."""

from __future__ import annotations

from sessionkit.ops.check.options import Options
from sessionkit.ops.check.plan import check
from sessionkit.ops.check.result import Checked, Kind

__all__ = ["Checked", "Kind", "Options", "check"]
