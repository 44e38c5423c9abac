"""rehydrate: a session as the body of a request."""

from __future__ import annotations

from sessionkit.ops.rehydrate.options import Fitting, Options
from sessionkit.ops.rehydrate.result import Extent, Rehydrated, Unsendable
from sessionkit.ops.rehydrate.session import rehydrate

__all__ = [
    "Extent",
    "Fitting",
    "Options",
    "Rehydrated",
    "Unsendable",
    "rehydrate",
]
