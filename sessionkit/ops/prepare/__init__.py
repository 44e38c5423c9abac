"""prepare: an image made fit before it enters a session, as the blocks of a tool's result."""

from __future__ import annotations

from sessionkit.ops.prepare.image import prepare
from sessionkit.ops.prepare.options import Options, Resizing
from sessionkit.ops.prepare.plan import Plan, Unprepared
from sessionkit.ops.prepare.reading import Named, find_images
from sessionkit.ops.prepare.result import Prepared, error_blocks
from sessionkit.ops.prepare.shapes import SHAPES, shape_of

__all__ = [
    "SHAPES",
    "Named",
    "Options",
    "Plan",
    "Prepared",
    "Resizing",
    "Unprepared",
    "error_blocks",
    "find_images",
    "prepare",
    "shape_of",
]
