"""Folders of sessions and assets for collections, and what a collection leaves of them."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import BIN
from sessionkit.core.stores import LocalStore
from sessionkit.ops.gc import Collected, Options, StoreFailed, survey
from sessionkit.ops.writing import Effect, Writing

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.ops.gc import Plan

NOW = datetime(2026, 9, 1, 10, tzinfo=UTC)
OPTIONS = Options(clock=lambda: NOW)
NAMED, ORPHAN = 1, 2
REHEARSAL = replace(OPTIONS, writing=Writing(Effect.REHEARSE))


def asset(folder: Path, number: int, age: timedelta = timedelta(days=15)) -> AssetName:
    """Store one of a series of assets in the folder `images` below, last used so long before NOW."""
    data = b"asset %d" % number
    name = AssetName.of(data, BIN)
    path = folder / name.reference
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    os.utime(path, ((NOW - age).timestamp(),) * 2)
    return name


def session(path: Path, *assets: AssetName) -> Path:
    """Write a session that names assets."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"{}\n" + b"".join(b'{"asset_path":"%b"}\n' % name.reference.encode() for name in assets))
    return path


def one_named_and_one_not(folder: Path) -> Path:
    """Make a folder with two assets, NAMED and ORPHAN, and a session that names the first."""
    session(folder / "a.jsonl", asset(folder, NAMED))
    asset(folder, ORPHAN)
    return folder


def plan(*folders: Path, options: Options = OPTIONS) -> Plan:
    return survey(folders, options).plan(lambda _size: None)


def collect(*folders: Path, options: Options = OPTIONS) -> list[Collected]:
    """Collect, and give what was done to each store."""
    results = list(plan(*folders, options=options).run())
    assert not [result for result in results if isinstance(result, StoreFailed)]
    return [result for result in results if isinstance(result, Collected)]


def kept(folder: Path) -> set[AssetName]:
    """Assets in the folder `images` below."""
    with LocalStore(folder / "images") as store:
        return {file.name for file in store.files()}
