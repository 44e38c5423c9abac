"""The catalogue of models that --catalog names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.providers.vision import Catalog


def catalog_of(path: Path | None) -> Catalog:
    """Read a catalogue; without a file nothing is known. Raises UnreadableError and UsageError."""
    from sessionkit.providers.vision import NO_CATALOG, read_catalog

    if path is None:
        return NO_CATALOG
    from sessionkit.ops.rehydrate.files import read_json

    return read_json(path, read_catalog)
