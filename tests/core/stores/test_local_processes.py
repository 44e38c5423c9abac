"""Several processes on one folder, some of them killed."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.files import Durability, is_temporary, remove_leftovers
from sessionkit.core.stores import LocalStore

if TYPE_CHECKING:
    from pathlib import Path

BOTH = pytest.mark.parametrize("durability", list(Durability))

PUT = """
import sys
from pathlib import Path
from sessionkit.core.assets import AssetName
from sessionkit.core.files import Durability
from sessionkit.core.sniff import PNG
from sessionkit.core.stores import LocalStore
sys.stdin.readline()
with LocalStore(Path(sys.argv[1]), durability=Durability[sys.argv[2]]) as store:
    for number in range(100):
        data = b"%d" % number * 3000
        store.put(AssetName.of(data, PNG), data)
        print(number, flush=True)
    store.flush()
"""


def start(images: Path, durability: Durability) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", PUT, str(images), durability.name]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


@BOTH
def test_several_processes_put_the_same_assets(tmp_path: Path, durability: Durability) -> None:
    images = tmp_path / "images"
    processes = [start(images, durability) for _ in range(4)]
    for process in processes:
        assert process.stdin
        process.stdin.write(b"\n")
        process.stdin.flush()
    for process in processes:
        process.communicate()
    assert [process.returncode for process in processes] == [0, 0, 0, 0]
    with LocalStore(images) as store:
        assert sum(store.check(file.name).size > 0 for file in store.files()) == 100
    assert len(list(images.iterdir())) == 100


@BOTH
@pytest.mark.parametrize("puts", [1, 30, 70])
def test_killed_at_any_point_every_asset_is_whole(tmp_path: Path, durability: Durability, puts: int) -> None:
    images = tmp_path / "images"
    with start(images, durability) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"\n")
        process.stdin.flush()
        for _ in range(puts):
            process.stdout.readline()
        process.kill()
    with LocalStore(images) as store:
        whole = [store.check(file.name) for file in store.files()]
        assert len(whole) >= (puts if durability is Durability.NO_SYNC else puts // 64 * 64)
        remove_leftovers(images)
        assert list(store.inventory().strangers) == []
    assert not any(is_temporary(path.name) for path in images.iterdir())
