"""What a dry run tells of the store, which it must not touch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import PNG
from sessionkit.core.stores import LocalStore, Stored
from sessionkit.ops.rehearsal import RehearsalStore
from tests.ops.runs import png, stamps

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NAME = AssetName.of(png(0), PNG)


def whole(path: Path) -> None:
    path.write_bytes(png(0))


def torn(path: Path) -> None:
    path.write_bytes(png(0)[:-1])


def link(path: Path) -> None:
    path.symlink_to("elsewhere")


def nothing(_path: Path) -> None:
    pass


@pytest.mark.parametrize(
    ("make", "stored"),
    [(nothing, Stored.NEW), (whole, Stored.REUSED), (torn, Stored.REPAIRED), (link, Stored.REPAIRED)],
)
def test_it_foretells_what_the_store_would_find(tmp_path: Path, make: Callable[[Path], None], stored: Stored) -> None:
    make(tmp_path / NAME.file_name)
    before = stamps(tmp_path)
    with LocalStore(tmp_path) as real:
        rehearsal = RehearsalStore(real)
        assert [rehearsal.put(NAME, png(0)), rehearsal.put(NAME, png(0))] == [stored, Stored.KNOWN]
    assert stamps(tmp_path) == before
    with LocalStore(tmp_path) as real:
        assert [real.put(NAME, png(0)), real.put(NAME, png(0))] == [stored, Stored.KNOWN]


def test_a_store_that_does_not_exist_is_not_created(tmp_path: Path) -> None:
    with LocalStore(tmp_path / "images") as real:
        assert RehearsalStore(real).put(NAME, png(0)) is Stored.NEW
    assert not (tmp_path / "images").exists()
