from __future__ import annotations

import os
import shutil
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.files import Durability, Original, replace_in_place
from sessionkit.errors import ChangedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

OLD = b'{"data":"iVBORw0KGgo="}\n'
NEW = b'{"asset_path":"x"}\n'


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "session.jsonl"
    path.write_bytes(OLD)
    path.chmod(0o640)
    os.utime(path, ns=(1_700_000_000_000_000_001, 1_700_000_000_000_000_002))
    return path


@contextmanager
def opened(path: Path) -> Iterator[Original]:
    with path.open("rb") as file:
        yield Original(path, file.fileno(), os.fstat(file.fileno()))


def spill(path: Path, meanwhile: Callable[[Path], None]) -> None:
    with opened(path) as original, replace_in_place(original, Durability.SYNC) as output:
        output.write(NEW)
        meanwhile(path)


def interrupt(_: Path) -> None:
    raise KeyboardInterrupt


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"late\n")


def shorten(path: Path) -> None:
    os.truncate(path, 5)


def overwrite(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"#")


def touch(path: Path) -> None:
    os.utime(path)


def replace(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(OLD)
    os.utime(other, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    other.replace(path)


@pytest.mark.parametrize("durability", list(Durability))
def test_an_unchanged_file_is_replaced_and_keeps_mode_and_time(session: Path, durability: Durability) -> None:
    before = session.stat()
    with opened(session) as original, replace_in_place(original, durability) as output:
        output.write(NEW)
    after = session.stat()
    assert session.read_bytes() == NEW
    assert (after.st_mtime_ns, stat.S_IMODE(after.st_mode)) == (before.st_mtime_ns, 0o640)
    assert names(session.parent) == [session.name]


def test_a_link_stays_one(session: Path, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    link = tmp_path / "sub" / "link.jsonl"
    link.symlink_to(session)
    with opened(link) as original, replace_in_place(original, Durability.SYNC) as output:
        output.write(NEW)
    assert link.is_symlink()
    assert session.read_bytes() == NEW


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (append, "it was written to"),
        (shorten, "it was written to"),
        (overwrite, "it was written to"),
        (touch, "it was written to"),
        (replace, "another file has taken its place"),
        (os.unlink, "it was moved or removed"),
    ],
)
def test_a_file_that_changed_meanwhile_is_left_alone(session: Path, change: Callable[[Path], None], why: str) -> None:
    twin = session.with_name("twin")
    shutil.copy2(session, twin)
    change(twin)
    with pytest.raises(ChangedError) as caught:
        spill(session, change)
    assert caught.value.why == why
    assert content(session) == content(twin)
    assert [name for name in names(session.parent) if name.startswith(".")] == []


def content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def at_the_rename(monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None], path: Path) -> None:
    """Let another process be the last one before the rename."""
    rename = os.rename

    def late(*args: str, src_dir_fd: int, dst_dir_fd: int) -> None:
        monkeypatch.undo()
        change(path)
        rename(*args, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    monkeypatch.setattr(os, "rename", late)


@pytest.mark.parametrize("durability", list(Durability))
def test_a_line_appended_at_the_last_moment_is_kept(session: Path, monkeypatch: pytest.MonkeyPatch, durability: Durability) -> None:
    at_the_rename(monkeypatch, append, session)
    with opened(session) as original, replace_in_place(original, durability) as output:
        output.write(NEW)
        mtime = original.status.st_mtime_ns
    assert session.read_bytes() == NEW + b"late\n"
    assert session.stat().st_mtime_ns > mtime


@pytest.mark.parametrize("change", [shorten, overwrite])
def test_a_rewrite_at_the_last_moment_wins(session: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]) -> None:
    twin = session.with_name("twin")
    twin.write_bytes(OLD)
    change(twin)
    at_the_rename(monkeypatch, change, session)
    with pytest.raises(ChangedError, match="that version was kept"):
        spill(session, lambda _: None)
    assert session.read_bytes() == twin.read_bytes()
    assert stat.S_IMODE(session.stat().st_mode) == 0o640


def test_a_failing_block_leaves_the_file(session: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        spill(session, interrupt)
    assert session.read_bytes() == OLD
    assert names(session.parent) == [session.name]
