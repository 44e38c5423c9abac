"""Two users who put assets into one folder, and take them away."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.stores import LocalStore, LockKind
from sessionkit.core.stores.locks import beside, folder  # noqa: F401  others than root may not be able to read this checkout
from sessionkit.errors import SessionkitError
from tests.holding import LOCKINGS, take

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.system, pytest.mark.skipif(os.geteuid() != 0, reason="only root may be others")]

SHARED, EXCLUSIVE = LockKind
IMAGES = Path("images")
GROUP = 64_000


@dataclass(frozen=True)
class User:
    """A user, whose own group has the same number."""

    id: int
    umask: int

    def become(self) -> None:
        os.umask(self.umask)
        os.setgroups([GROUP])
        os.setgid(self.id)
        os.setuid(self.id)


ANNE, BOB = User(64_001, 0o077), User(64_002, 0o022)
FOLDERS = {
    "everybody's": (0, 0, 0o777),
    "everybody's, who may not remove what others made": (0, 0, 0o1777),
    "a group's": (ANNE.id, GROUP, 0o770),
    "a group's, handed on": (ANNE.id, GROUP, 0o2770),
    "a group's, of the second user": (BOB.id, GROUP, 0o775),
}


@pytest.fixture(params=FOLDERS)
def images(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of assets in the working folder: no user has to pass those above."""
    owner, group, mode = FOLDERS[request.param]
    monkeypatch.chdir(tmp_path)
    tmp_path.chmod(0o755)
    IMAGES.mkdir()
    os.chown(IMAGES, owner, group)
    IMAGES.chmod(mode)
    return IMAGES


def take_as(user: User, kind: LockKind, way: str) -> str:
    """Take the lock as a user, and let go of it; the error if he does not get it."""
    out, into = os.pipe()
    pid = os.fork()
    if not pid:
        user.become()
        try:
            take(IMAGES, kind, way)
        except SessionkitError as error:
            os.write(into, str(error).encode())
        except BaseException as error:  # noqa: BLE001  nobody else tells
            os.write(into, repr(error).encode())
        os._exit(0)
    os.close(into)
    os.waitpid(pid, 0)
    said = os.read(out, 1 << 16)
    os.close(out)
    return said.decode()


@contextmanager
def held_by(user: User, kind: LockKind, way: str) -> Iterator[int]:
    """Let a user hold the lock in a process of this id."""
    out, into = os.pipe()
    end, ending = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(ending)
        user.become()
        with LocalStore(IMAGES, locking=LOCKINGS[way]) as store, store.lock(kind, 0):
            os.write(into, b"held")
            os.read(end, 1)
        os._exit(0)
    os.close(into)
    os.close(end)
    try:
        assert os.read(out, 4) == b"held"
        yield pid
    finally:
        os.close(ending)
        os.close(out)
        os.waitpid(pid, 0)


@pytest.mark.parametrize("way", LOCKINGS)
@pytest.mark.parametrize(("first", "second"), [(ANNE, BOB), (BOB, ANNE)], ids=["Anne first", "Bob first"])
def test_users_exclude_each_other_and_share(images: Path, way: str, first: User, second: User) -> None:
    with held_by(first, SHARED, way) as holder:
        assert take_as(second, SHARED, way) == ""
        assert f"held by process {holder} " in take_as(second, EXCLUSIVE, way)
        with held_by(second, SHARED, way):
            assert "and 1 more" in take_as(first, EXCLUSIVE, way) or way == "lock files"
            assert "held by process" in take_as(first, EXCLUSIVE, way)
    assert [take_as(user, EXCLUSIVE, way) for user in (first, second)] == ["", ""]
    with held_by(second, EXCLUSIVE, way) as holder:
        assert [f"held by process {holder} " in take_as(first, kind, way) for kind in LockKind] == [True, True]
    assert {path.name for path in images.iterdir()} <= {".lock"}


@pytest.mark.parametrize("way", LOCKINGS)
def test_a_file_that_is_for_its_owner_alone_still_excludes(images: Path, way: str) -> None:
    """As versions made it that did not think of others."""
    with held_by(ANNE, SHARED, way):
        for path in images.glob(".lock" if way == "flock" else ".lock.*"):
            path.chmod(0o600)
        for kind in LockKind:
            told = take_as(BOB, kind, way)
            assert ("images/.lock" in told and "remove the file" in told) if way == "flock" else "(of another user)" in told
    assert take_as(ANNE, EXCLUSIVE, way) == ""
