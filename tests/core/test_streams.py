from __future__ import annotations

import gzip
import os
import socket
import subprocess
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.streams import ByteStream, Packing, PlainStream, nameless_stream, open_source, packing_by, packing_of, stream_of
from sessionkit.errors import UnreadableError
from tests.rights import unprivileged

if TYPE_CHECKING:
    from collections.abc import Callable

SKIPPABLE = b"\x50\x2a\x4d\x18\x05\x00\x00\x00hello"


def zstd_frame(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


def plain(data: bytes) -> bytes:
    return data


PACK: dict[str, Callable[[bytes], bytes]] = {"": plain, ".gz": gzip.compress, ".zst": zstd_frame}
ARCHIVES = pytest.mark.parametrize("suffix", [".gz", ".zst"])
LINES = b"".join(b'{"number":%d,"hash":"%08x"}\n' % (number, zlib.crc32(b"%d" % number)) for number in range(40_000))


def drain(stream: ByteStream, size: int = 1 << 16) -> bytes:
    buffer = memoryview(bytearray(size))
    content = bytearray()
    while count := stream.readinto(buffer):
        content += buffer[:count]
    assert stream.readinto(buffer) == 0
    return bytes(content)


def read(path: Path, size: int = 1 << 16) -> bytes:
    with open_source(path) as stream:
        return drain(stream, size)


@pytest.mark.parametrize(
    ("name", "packing"),
    [
        ("a.jsonl", Packing.PLAIN),
        ("a.jsonl.gz", Packing.GZIP),
        ("a.jsonl.zst", Packing.ZSTD),
        ("a.gz.jsonl", Packing.PLAIN),
        (".zst", Packing.PLAIN),
        ("-", Packing.PLAIN),
    ],
)
def test_the_name_tells_the_packing(name: str, packing: Packing) -> None:
    assert packing_of(Path(name)) is packing


@pytest.mark.parametrize("size", [1 << 20, 4096, 777])
@pytest.mark.parametrize("suffix", PACK)
def test_reads_all_bytes(tmp_path: Path, suffix: str, size: int) -> None:
    path = tmp_path / f"session.jsonl{suffix}"
    path.write_bytes(PACK[suffix](LINES))
    assert read(path, size) == LINES


@given(members=st.lists(st.binary(max_size=3000), min_size=1, max_size=5), size=st.integers(1, 5000), suffix=st.sampled_from(list(PACK)))
def test_members_are_read_across(tmp_path_factory: pytest.TempPathFactory, members: list[bytes], size: int, suffix: str) -> None:
    path = tmp_path_factory.getbasetemp() / f"members{suffix}"
    path.write_bytes(b"".join(map(PACK[suffix], members)))
    assert read(path, size) == b"".join(members)


@pytest.mark.parametrize(
    ("suffix", "content"),
    [
        (".gz", gzip.compress(b"one") + bytes(1000) + gzip.compress(b"two") + bytes(7)),
        (".zst", SKIPPABLE + zstd_frame(b"one") + SKIPPABLE + zstd_frame(b"two") + SKIPPABLE),
    ],
)
def test_padding_between_members(tmp_path: Path, suffix: str, content: bytes) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(content)
    assert read(path) == b"onetwo"


def test_an_archive_without_checksum_or_size(tmp_path: Path) -> None:
    path = tmp_path / "a.zst"
    compressor = zstandard.ZstdCompressor(write_checksum=False, write_content_size=False).compressobj()
    path.write_bytes(compressor.compress(LINES) + compressor.flush())
    assert read(path) == LINES


@ARCHIVES
@pytest.mark.parametrize("kept", [0.0, 0.1, 0.5, 0.99])
def test_a_torn_archive_is_never_a_silent_end(tmp_path: Path, suffix: str, kept: float) -> None:
    path = tmp_path / f"a{suffix}"
    content = PACK[suffix](LINES)
    path.write_bytes(content[: int(len(content) * kept)])
    with pytest.raises(UnreadableError, match=r"archive is broken after [0-9]+ bytes of content: it ends too early") as caught:
        read(path)
    assert str(caught.value.place) == str(path)


@ARCHIVES
def test_every_cut_of_two_members_but_the_one_between_them_is_torn(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    member = PACK[suffix](b"some content")
    for length in range(2 * len(member)):
        path.write_bytes((member * 2)[:length])
        if length == len(member):
            assert read(path) == b"some content"
            continue
        with pytest.raises(UnreadableError, match="it ends too early"):
            read(path)


@ARCHIVES
def test_the_offset_is_that_of_the_content_so_far(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(PACK[suffix](LINES) + b"no archive")
    with pytest.raises(UnreadableError, match=f"after {len(LINES)} bytes of content"):
        read(path)


@ARCHIVES
@pytest.mark.parametrize("at", [0, 12, -1000, -6])
def test_a_changed_byte_is_found(tmp_path: Path, suffix: str, at: int) -> None:
    path = tmp_path / f"a{suffix}"
    content = bytearray(PACK[suffix](LINES))
    content[at] ^= 0x55
    path.write_bytes(content)
    with pytest.raises(UnreadableError, match="archive is broken after"):
        read(path)


@ARCHIVES
def test_a_plain_file_with_an_archives_name(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(LINES)
    with pytest.raises(UnreadableError, match="broken after 0 bytes"):
        read(path)


def test_a_huge_window_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zst"
    parameters = zstandard.ZstdCompressionParameters(window_log=30, write_content_size=False)
    compressor = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    path.write_bytes(compressor.compress(b"x" * 1000) + compressor.flush())
    with pytest.raises(UnreadableError, match=r"window is larger than 128 MiB\n.*zstd -d --long=31"):
        read(path)


def zeros_gz(size: int) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(size >> 20)) + packer.flush()


def zeros_zst(size: int) -> bytes:
    """Blocks of one repeated byte, four bytes each: the steepest that zstd can be."""
    block = (1 << 17 << 3 | 1 << 1).to_bytes(3, "little") + b"\0"
    return b"\x28\xb5\x2f\xfd\x00\x38" + block * (size >> 17) + b"\x01\0\0"


READ_ALL = """
import resource, sys
from pathlib import Path
from sessionkit.core.streams import open_source
buffer = memoryview(bytearray(1 << 16))
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
import zstandard
before, total = peak(), 0
with open_source(Path(sys.argv[1])) as stream:
    while count := stream.readinto(buffer):
        total += count
print(total, (peak() - before) // 1024)
"""


@pytest.mark.parametrize(("suffix", "bomb"), [(".gz", zeros_gz), (".zst", zeros_zst)])
def test_a_bomb_needs_little_memory(tmp_path: Path, suffix: str, bomb: Callable[[int], bytes]) -> None:
    path = tmp_path / f"bomb{suffix}"
    path.write_bytes(bomb(128 << 20))
    done = subprocess.run([sys.executable, "-c", READ_ALL, path], capture_output=True, check=True)
    total, grown = map(int, done.stdout.split())
    assert total == 128 << 20
    assert grown < 40


def test_a_link_given_by_the_user_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(LINES)
    (tmp_path / "link").symlink_to("real")
    assert read(tmp_path / "link") == LINES


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
    for name, kind in [("folder", "a folder"), ("pipe", "a named pipe"), ("link", "a named pipe"), ("socket", "a socket")]:
        with pytest.raises(UnreadableError, match=f"it is {kind}, not a regular file"), open_source(tmp_path / name):
            pass
    with pytest.raises(UnreadableError, match="a character device"), open_source(Path("/dev/zero")):
        pass


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="no such file or directory") as caught, open_source(tmp_path / "x"):
        pass
    assert (str(caught.value.place), caught.value.hint) == (str(tmp_path / "x"), "check the path")


@unprivileged
def test_a_forbidden_file(tmp_path: Path) -> None:
    (tmp_path / "x").touch(mode=0)
    with pytest.raises(UnreadableError, match="permission denied"), open_source(tmp_path / "x"):
        pass


@pytest.mark.parametrize(("packing", "pack"), list(zip(Packing, PACK.values(), strict=True)))
def test_a_pipe(packing: Packing, pack: Callable[[bytes], bytes]) -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as cat:
        assert cat.stdin
        assert cat.stdout
        cat.stdin.write(pack(LINES[:50_000]))
        cat.stdin.close()
        assert drain(stream_of(cat.stdout.fileno(), Path("-"), packing)) == LINES[:50_000]


def test_the_status_is_that_of_the_opened_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES)
    with open_source(path) as stream:
        with path.open("ab") as file:
            file.write(b"more")
        assert stream.status.st_size == len(LINES)


def test_a_plain_stream_can_start_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES)
    with open_source(path) as stream:
        assert isinstance(stream, PlainStream)
        stream.seek(1000)
        assert drain(stream) == LINES[1000:]


def test_the_file_is_closed(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"x")
    with open_source(tmp_path / "a.jsonl") as stream:
        descriptor = stream.descriptor
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


@pytest.mark.parametrize("size", [1, 3, 1 << 16])
@pytest.mark.parametrize("content", [LINES[:50_000], LINES[:5], LINES[:4], b"{}", b"\n", b"", SKIPPABLE[:3]])
@pytest.mark.parametrize("pack", PACK.values(), ids=["plain", "gzip", "zstd"])
def test_first_bytes_tell_how_a_pipe_is_packed(pack: Callable[[bytes], bytes], content: bytes, size: int) -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as cat:
        assert cat.stdin
        assert cat.stdout
        cat.stdin.write(pack(content))
        cat.stdin.close()
        assert drain(nameless_stream(cat.stdout.fileno(), Path("-")), size) == content


def test_a_frame_to_skip_tells_zstd_too() -> None:
    assert packing_by(SKIPPABLE) is Packing.ZSTD
    assert packing_by(b"\x60\x2a\x4d\x18") is Packing.PLAIN
