"""Images that are read from files: which are, which are not, and in how much memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sessionkit.errors import TooLargeError, UnreadableError, UsageError
from sessionkit.ops.prepare import find_images, prepare
from sessionkit.ops.prepare.reading import MOST_BYTES
from tests.pictures import picture


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    fifo, folder, link, dangling = (tmp_path / name for name in ("fifo", "folder", "link", "dangling"))
    os.mkfifo(fifo)
    folder.mkdir()
    (tmp_path / "a").write_bytes(picture("PNG"))
    link.symlink_to("a")
    dangling.symlink_to("nowhere")
    for path in (fifo, folder, dangling, tmp_path / "missing", tmp_path / ("x" * 300)):
        with pytest.raises(UnreadableError):
            prepare(path)
    assert prepare(link).text == "Read image file [image/png]"


def test_a_file_that_is_larger_than_any_image_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(TooLargeError, match="sparse: too large: more than 512 MiB"):
        prepare(path)


def test_images_are_named_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.png").mkdir()
    for name in ("b.png", "a.png", "[1].png"):
        Path(name).touch()
    assert [named.name for named in find_images(["b.png", "*.png", "-", "[1].png", "b.png"])] == [
        *("b.png", "[1].png", "a.png", "b.png", "standard input", "[1].png", "b.png")
    ]
    for words in ([], [""], ["folder.png"], ["*.jpg"], ["-", "-"]):
        with pytest.raises(UsageError):
            find_images(words)


PEAK = """
import sys
from pathlib import Path
import sessionkit
prepared = sessionkit.prepare(Path(sys.argv[1]))
assert (prepared.outcome.size.width, prepared.outcome.size.height) == (2000, 1500), prepared.outcome
print(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])  # unlike ru_maxrss it is none of the parent's
"""


@pytest.mark.system
@pytest.mark.parametrize(
    ("mode", "kind", "most"),
    [
        pytest.param("RGB", "JPEG", 150, id="a JPEG is never unpacked in full"),
        pytest.param("RGBA", "PNG", 640, id="5 bytes a pixel and 100 MB"),
        pytest.param("RGB", "BMP", 640, id="a large file does not come on top"),
    ],
)
def test_memory(tmp_path: Path, mode: str, kind: str, most: int) -> None:
    path = tmp_path / "huge"
    path.write_bytes(picture(kind, mode, (12_000, 9_000), compress_level=1))
    run = subprocess.run([sys.executable, "-c", PEAK, path], capture_output=True, check=True)
    assert int(run.stdout) / 1000 < most
