"""Which objects of a folder are assets, and how old they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.assets import FOLDER, AssetName
from sessionkit.core.stores.base import AssetStat, StoredFile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.stores.s3.client import ObjectStat

_SECOND: Final = 1_000_000_000


def asset_of(name: str) -> AssetName | None:
    """Tell which asset an object claims to be."""
    try:
        return AssetName.parse(f"{FOLDER}/{name}")
    except ValueError:
        return None


def asset_stat(stat: ObjectStat) -> AssetStat:
    """Tell size and time of an asset.

    Servers tell whole seconds, so the time is the end of that second: otherwise what is written again before it ends would look as old
    as before, to those who mean to take it away.
    """
    return AssetStat(stat.size, (int(stat.written.timestamp()) + 1) * _SECOND)


def known(objects: Iterable[tuple[str, ObjectStat]]) -> list[StoredFile]:
    """Assets among the objects of a folder."""
    return [StoredFile(name, asset_stat(stat)) for file_name, stat in objects if (name := asset_of(file_name))]
