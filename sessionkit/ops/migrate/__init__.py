"""migrate: inline media becomes asset files, and a reference to each stands in its place."""

from __future__ import annotations

from sessionkit.ops.migrate.options import Migrated, Options
from sessionkit.ops.migrate.plan import Plan

__all__ = ["Migrated", "Options", "Plan"]
