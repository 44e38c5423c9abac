"""estimate: what the next request of a session costs, in tokens and in bytes."""

from __future__ import annotations

from sessionkit.ops.estimate.image_tokens import ImageTokens, resolve_image_tokens
from sessionkit.ops.estimate.options import ALL, AUTO, Dimensions, Options, Over
from sessionkit.ops.estimate.plan import Plan
from sessionkit.ops.estimate.result import By, Count, Estimated, Note, NoteKind, ProfileTotal, Row

__all__ = [
    "ALL",
    "AUTO",
    "By",
    "Count",
    "Dimensions",
    "Estimated",
    "ImageTokens",
    "Note",
    "NoteKind",
    "Options",
    "Over",
    "Plan",
    "ProfileTotal",
    "Row",
    "resolve_image_tokens",
]
