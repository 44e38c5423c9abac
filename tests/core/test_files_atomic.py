from __future__ import annotations

import os
import resource
import signal
import stat
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.files import Durability, OutputFile, remove_leftovers, write_atomic
from sessionkit.errors import UnwritableError
from tests.rights import unprivileged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BOTH = pytest.mark.parametrize("durability", list(Durability))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """The system itself refuses to write more, as a full disk does: first with a short write, then with an error."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@BOTH
def test_writes_a_new_private_file(tmp_path: Path, durability: Durability) -> None:
    target = tmp_path / "new.jsonl"
    with write_atomic(target, None, durability) as output:
        output.write(b"one\n")
        output.write(memoryview(b"two\n"))
        output.write_many([b"three", bytearray(b"\n"), b""])
    assert target.read_bytes() == b"one\ntwo\nthree\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert names(tmp_path) == ["new.jsonl"]


def test_target_is_old_until_the_block_ends(tmp_path: Path) -> None:
    target = tmp_path / "session.jsonl"
    target.write_bytes(b"old")
    with write_atomic(target, None, Durability.SYNC) as output:
        output.write(b"new")
        assert target.read_bytes() == b"old"
    assert target.read_bytes() == b"new"


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640, 0o664, 0o400])
def test_keeps_mode_and_time_of_the_model(tmp_path: Path, mode: int) -> None:
    model, target = tmp_path / "model", tmp_path / "target"
    model.write_bytes(b"")
    model.chmod(mode)
    os.utime(model, ns=(1_600_000_000_123_456_789, 1_500_000_000_987_654_321))
    with write_atomic(target, model.stat(), Durability.NO_SYNC) as output:
        output.write(b"x")
    assert stat.S_IMODE(target.stat().st_mode) == mode
    assert target.stat().st_mtime_ns == model.stat().st_mtime_ns


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_keeps_the_owner_where_allowed(tmp_path: Path) -> None:
    model, target = tmp_path / "model", tmp_path / "target"
    model.write_bytes(b"")
    os.chown(model, 12345, 54321)
    with write_atomic(target, model.stat(), Durability.NO_SYNC):
        pass
    assert (target.stat().st_uid, target.stat().st_gid) == (12345, 54321)


def fail_half_way(target: Path, error: type[BaseException]) -> None:
    with write_atomic(target, None, Durability.SYNC) as output:
        output.write(b"new")
        raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, GeneratorExit])
def test_any_exception_leaves_the_target_and_no_temporary_file(tmp_path: Path, error: type[BaseException]) -> None:
    target = tmp_path / "session.jsonl"
    target.write_bytes(b"old")
    with pytest.raises(error):
        fail_half_way(target, error)
    assert target.read_bytes() == b"old"
    assert names(tmp_path) == ["session.jsonl"]


def test_a_refused_write_is_an_error_in_words(tmp_path: Path) -> None:
    target = tmp_path / "session.jsonl"
    target.write_bytes(b"old")
    with file_size_limit(1000), pytest.raises(UnwritableError) as caught, write_atomic(target, None, Durability.SYNC) as output:
        output.write_many([b"x" * 700, b"y" * 700])
    assert (caught.value.why, str(caught.value.place)) == ("file too large", str(target))
    assert caught.value.hint
    assert target.read_bytes() == b"old"
    assert names(tmp_path) == ["session.jsonl"]


@pytest.mark.parametrize("split", [1, 7, 3000])
def test_short_writes_are_continued(split: int) -> None:
    """A signal cuts a write to a full pipe short."""
    data = bytes(range(256)) * 4096
    reading, writing = os.pipe()
    received = bytearray()

    def read_late() -> None:
        time.sleep(0.03)
        while chunk := os.read(reading, 1 << 16):
            received.extend(chunk)

    reader = threading.Thread(target=read_late)
    handler = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
    try:
        reader.start()
        size = len(data) // split + 1
        OutputFile(writing, Path("pipe")).write_many([data[start : start + size] for start in range(0, len(data), size)])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        os.close(writing)
        reader.join()
        os.close(reading)
    assert received == data


def no_parent(folder: Path) -> Path:
    return folder / "missing" / "file"


def parent_is_a_file(folder: Path) -> Path:
    (folder / "file").write_bytes(b"")
    return folder / "file" / "below"


def too_long(folder: Path) -> Path:
    return folder / ("x" * 300)


def a_folder(folder: Path) -> Path:
    (folder / "sub").mkdir()
    return folder / "sub"


def a_link(folder: Path) -> Path:
    (folder / "real").write_bytes(b"real")
    (folder / "link").symlink_to("real")
    return folder / "link"


def a_pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (no_parent, "no such file or directory"),
        (parent_is_a_file, "not a directory"),
        (too_long, "file name too long"),
        (a_folder, "it is a folder, not a regular file"),
        (a_link, "it is a symbolic link, not a regular file"),
        (a_pipe, "it is a named pipe, not a regular file"),
    ],
)
def test_refused_targets(tmp_path: Path, make: Callable[[Path], Path], why: str) -> None:
    target = make(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UnwritableError) as caught, write_atomic(target, None, Durability.SYNC) as output:
        output.write(b"x")
    assert caught.value.why == why
    assert sorted(tmp_path.rglob("*")) == before


def test_a_device_is_never_replaced() -> None:
    with pytest.raises(UnwritableError, match="character device"), write_atomic(Path("/dev/null"), None, Durability.SYNC):
        pass


@unprivileged
def test_a_read_only_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(UnwritableError, match="permission denied"), write_atomic(tmp_path / "x", None, Durability.SYNC):
        pass
    tmp_path.chmod(0o700)


WRITER = """
import sys
from pathlib import Path
from sessionkit.core.files import Durability, write_atomic
target = Path(sys.argv[1])
print("ready", flush=True)
for number in range(1_000_000):
    with write_atomic(target, None, Durability.NO_SYNC) as output:
        for _ in range(50):
            output.write(b"%07d" % number * 1000)
"""


@pytest.mark.parametrize("delay", [0.0, 0.003, 0.011, 0.02])
def test_killed_at_any_point_the_file_is_whole(tmp_path: Path, delay: float) -> None:
    target = tmp_path / "session.jsonl"
    target.write_bytes(b"0000000" * 50_000)
    with subprocess.Popen([sys.executable, "-c", WRITER, str(target)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout
        writer.stdout.readline()
        time.sleep(delay)
        writer.kill()
    content = target.read_bytes()
    assert content == content[:7] * 50_000
    remove_leftovers(tmp_path)
    assert names(tmp_path) == ["session.jsonl"]
