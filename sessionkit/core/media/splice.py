"""The edits that put asset references in the place of media, and media in the place of references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.edits import Edit
from sessionkit.core.media.references import Reference, write_members, write_object

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.media.finder import Look, Site
    from sessionkit.core.media.intake import Asset


def spill_edits(look: Look, taken: Iterable[tuple[Site, Asset]]) -> list[Edit]:
    """Edits for the sites of one line, in the order of their bytes; the first one of each object replaces its member."""
    edits: list[Edit] = []
    replaced: set[int] = set()
    for site, asset in taken:
        if site.key is None or id(site.scope) in replaced:
            edits.append(Edit(site.value.start, site.value.stop, (write_object(asset.name, asset.size, asset.prefix),)))
            continue
        replaced.add(id(site.scope))
        size = None if {"width", "height"} & site.scope.names.keys() else asset.size
        key = bytes(look.data[site.key.start : site.key.stop])
        name, value = write_members(key, asset.name, size, asset.prefix)
        edits.append(Edit(site.key.start, site.key.stop, (name,)))
        edits.append(Edit(site.value.start, site.value.stop, (value,)))
    return edits


def restore_edits(reference: Reference, base64: Iterable[bytes | memoryview]) -> list[Edit]:
    """Edits for one reference; the asset's base64 is asked for when the edit is applied."""
    value = Edit(reference.value.start, reference.value.stop, _quoted(reference.prefix, base64))
    if reference.key is None:
        return [value]
    return [Edit(reference.key.start, reference.key.stop, (reference.field_token,)), value]


def _quoted(prefix: bytes, base64: Iterable[bytes | memoryview]) -> Iterable[bytes | memoryview]:
    yield b'"' + prefix
    yield from base64
    yield b'"'
