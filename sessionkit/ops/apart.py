"""Ask a bucket in a process of its own: one that has used a bucket itself could start no workers any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.stores.opening import open_store

if TYPE_CHECKING:
    from sessionkit.core.assets import AssetName
    from sessionkit.core.stores.addresses import Bucket


def sizes_in(bucket: Bucket) -> dict[AssetName, int]:
    """Bytes of every asset; UnreachableError, and RefusedError where buckets cannot be used."""
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415  the modules for processes cost start-up

    with ProcessPoolExecutor(1) as process:
        return process.submit(_sizes_in, bucket).result()


def _sizes_in(bucket: Bucket) -> dict[AssetName, int]:
    with open_store(bucket) as store:
        return {file.name: file.stat.size for file in store.files()}
