"""my-pi-agent, whose newest generation keeps images in files by itself."""

from __future__ import annotations

from sessionkit.formats.native.book import Native, NativeSpill

__all__ = ["Native", "NativeSpill"]
