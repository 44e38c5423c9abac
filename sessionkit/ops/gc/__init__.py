"""gc: assets that nothing names any more go to the trash of their store, and from there back, or away for good."""

from __future__ import annotations

from sessionkit.ops.gc.options import Options
from sessionkit.ops.gc.plan import Plan, survey
from sessionkit.ops.gc.result import Census, Collected, Purged, PutBack, StoreFailed, Tidied
from sessionkit.ops.gc.trash import purge_trash, put_back

__all__ = ["Census", "Collected", "Options", "Plan", "Purged", "PutBack", "StoreFailed", "Tidied", "purge_trash", "put_back", "survey"]
