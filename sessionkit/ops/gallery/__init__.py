"""gallery: the images of a session one by one, with what is known of each, and the context that they stand in."""

from __future__ import annotations

from sessionkit.ops.gallery.around import Around, Said
from sessionkit.ops.gallery.options import Options
from sessionkit.ops.gallery.session import Show, showing
from sessionkit.ops.gallery.tiles import Tile
from sessionkit.ops.gallery.timeline import Cut, Timeline

__all__ = ["Around", "Cut", "Options", "Said", "Show", "Tile", "Timeline", "showing"]
