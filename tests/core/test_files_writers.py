from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.files import Durability, Original, atomic, replace_in_place
from sessionkit.core.files.writers import has_writer
from sessionkit.errors import ChangedError, UnwritableError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")

HOLD = "import sys; file = open(sys.argv[1], sys.argv[2]); print(flush=True); sys.stdin.read()"


@pytest.fixture
def original(tmp_path: Path) -> Iterator[Original]:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"old\n")
    with path.open("rb") as file:
        yield Original(path, file.fileno(), os.fstat(file.fileno()))


def hold(path: Path, mode: str) -> subprocess.Popen[bytes]:
    """Have another process open the file, until its standard input is closed."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, path, mode], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout
    process.stdout.readline()
    return process


@pytest.mark.parametrize(("mode", "writes"), [("rb", False), ("ab", True), ("r+b", True)])
def test_a_writer_is_seen_while_it_has_the_file_open(original: Original, mode: str, writes: bool) -> None:
    with hold(original.path, mode) as process:
        assert has_writer(original.descriptor) is writes
        process.communicate()
    assert not has_writer(original.descriptor)


def test_a_file_that_is_open_for_writing_is_not_replaced(original: Original) -> None:
    with hold(original.path, "ab") as process:
        with (
            pytest.raises(ChangedError, match="another process has it open for writing"),
            replace_in_place(original, Durability.SYNC) as output,
        ):
            output.write(b"new\n")
        process.communicate()
    assert original.path.read_bytes() == b"old\n"


def test_a_line_appended_at_the_last_moment_is_kept_when_the_folder_cannot_be_synced(
    original: Original, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(draft: atomic.Draft, _durability: Durability) -> None:
        with original.path.open("ab") as file:
            file.write(b"late\n")
        os.rename(draft._name, original.path.name, src_dir_fd=draft._folder, dst_dir_fd=draft._folder)
        raise UnwritableError("cannot be synced")

    monkeypatch.setattr(atomic.Draft, "publish", fail)
    with pytest.raises(UnwritableError), replace_in_place(original, Durability.SYNC) as output:
        output.write(b"new\n")
    assert original.path.read_bytes() == b"new\nlate\n"
