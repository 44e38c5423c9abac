"""The gallery as a page: one HTML file that needs nothing else, and that no session can make do anything."""

from __future__ import annotations

from sessionkit.cli.pages.writing import Choices, Content, Drawn, write_gallery

__all__ = ["Choices", "Content", "Drawn", "write_gallery"]
