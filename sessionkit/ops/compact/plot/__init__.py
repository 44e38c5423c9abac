"""A compaction as a picture: how the context grows message by message, how far it may, and where it would be cut."""

from __future__ import annotations

from sessionkit.ops.compact.plot.chart import Chart
from sessionkit.ops.compact.plot.png import rasterize
from sessionkit.ops.compact.plot.svg import draw

__all__ = ["Chart", "draw", "rasterize"]
