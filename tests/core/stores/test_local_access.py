"""Who may reach the assets, and what a store in a folder may reach."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.files import Durability
from sessionkit.core.sniff import PNG
from sessionkit.core.stores import LocalStore, Stored, StoreMode
from sessionkit.errors import AssetMissingError, UnreadableError, UnwritableError
from tests.rights import unprivileged

if TYPE_CHECKING:
    from pathlib import Path

DATA = b"\x89PNG" * 5000
NAME = AssetName.of(DATA, PNG)
BOTH = pytest.mark.parametrize("durability", list(Durability))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def images(tmp_path: Path) -> Path:
    return tmp_path / "images"


@pytest.fixture
def stored(images: Path) -> Path:
    """Path of an asset that a store holds."""
    with LocalStore(images) as store:
        store.put(NAME, DATA)
        store.flush()
    return images / NAME.file_name


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.mark.parametrize(
    ("session", "modes"),
    [
        (0o600, (0o600, 0o700)),
        (0o644, (0o644, 0o755)),
        (0o640, (0o640, 0o750)),
        (0o666, (0o644, 0o755)),
        (0o777, (0o644, 0o755)),
        (0o400, (0o600, 0o700)),
    ],
)
@BOTH
def test_who_may_read_the_session_may_read_its_assets(images: Path, session: int, modes: tuple[int, int], durability: Durability) -> None:
    with LocalStore(images, StoreMode.for_session(session), durability) as store:
        store.put(NAME, DATA)
        store.flush()
    assert (mode(images / NAME.file_name), mode(images)) == modes


@pytest.mark.parametrize(("session", "modes"), [(0o644, (0o644, 0o755)), (0o600, (0o600, 0o700))])
def test_a_wider_session_widens_what_it_reuses(stored: Path, session: int, modes: tuple[int, int]) -> None:
    with LocalStore(stored.parent, StoreMode.for_session(session)) as store:
        assert store.put(NAME, DATA) is Stored.REUSED
    assert (mode(stored), mode(stored.parent)) == modes


def test_nothing_is_made_narrower(stored: Path) -> None:
    stored.chmod(0o664)
    stored.parent.chmod(0o775)
    with LocalStore(stored.parent) as store:
        store.put(NAME, DATA)
    assert (mode(stored), mode(stored.parent)) == (0o664, 0o775)


def test_the_owners_own_bits_are_left_alone(stored: Path) -> None:
    stored.chmod(0o400)
    stored.parent.chmod(0o500)
    with LocalStore(stored.parent, StoreMode.for_session(0o644)) as store:
        assert store.put(NAME, DATA) is Stored.REUSED
    assert (mode(stored), mode(stored.parent)) == (0o444, 0o555)


def test_a_link_in_place_of_the_folder_is_refused(stored: Path, tmp_path: Path) -> None:
    away = stored.parent.rename(tmp_path / "elsewhere")
    stored.parent.symlink_to(away)
    before = sorted(away.iterdir())
    store = LocalStore(stored.parent)
    with pytest.raises(UnwritableError, match="it is a symbolic link, not a folder"):
        store.put(NAME, DATA)
    with pytest.raises(UnwritableError, match="it is a symbolic link, not a folder"):
        store.remove(NAME)
    for look in (store.open, store.check, store.stat):
        with pytest.raises(UnreadableError, match="it is a symbolic link, not a folder") as caught:
            look(NAME)
        assert str(caught.value.place) == str(stored.parent)
    with pytest.raises(UnreadableError, match="it is a symbolic link, not a folder"):
        store.inventory()
    assert sorted(away.iterdir()) == before


def test_a_file_in_place_of_the_folder_is_refused(images: Path) -> None:
    images.write_bytes(b"")
    store = LocalStore(images)
    with pytest.raises(UnwritableError, match="it is a regular file, not a folder"):
        store.put(NAME, DATA)
    with pytest.raises(UnreadableError, match="it is a regular file, not a folder"):
        store.check(NAME)


def test_the_folder_stays_the_same_while_the_store_is_open(stored: Path, tmp_path: Path) -> None:
    """Whoever swaps the folder for a link leads nobody away."""
    (tmp_path / "elsewhere").mkdir()
    with LocalStore(stored.parent, durability=Durability.NO_SYNC) as store:
        store.check(NAME)
        moved = stored.parent.rename(tmp_path / "moved")
        stored.parent.symlink_to(tmp_path / "elsewhere")
        store.put(AssetName.of(b"new", PNG), b"new")
    assert names(tmp_path / "elsewhere") == []
    assert len(names(moved)) == 2


@unprivileged
def test_a_read_only_folder(stored: Path) -> None:
    stored.parent.chmod(0o500)
    with LocalStore(stored.parent) as store:
        assert store.put(NAME, DATA) is Stored.REUSED
        with pytest.raises(UnwritableError, match="permission denied"):
            store.put(AssetName.of(b"new", PNG), b"new")
    stored.parent.chmod(0o700)


@unprivileged
def test_an_unreadable_asset_is_replaced(stored: Path) -> None:
    stored.chmod(0)
    with LocalStore(stored.parent) as store:
        with pytest.raises(UnreadableError, match="permission denied"):
            store.check(NAME)
        assert store.put(NAME, DATA) is Stored.REPAIRED
        store.flush()
        assert store.check(NAME).size == len(DATA)


def test_only_files_are_removed(stored: Path) -> None:
    stored.unlink()
    with LocalStore(stored.parent) as store, pytest.raises(AssetMissingError):
        store.remove(NAME)
    stored.mkdir()
    with LocalStore(stored.parent) as store, pytest.raises(UnwritableError):
        store.remove(NAME)
