"""Write a larger session of Pi: one that is repeated, with other ids and other images each time."""

from __future__ import annotations

import argparse
import re
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_IDS = re.compile(rb'(?<=d":")[0-9a-f]{2}')
_HEAD = 120
_PAYLOAD = b'"data":"'
_DEEP = 4096
"""Characters into the base64 of an image, where its pixels are."""


def enlarge(source: Path, target: Path, size: int) -> None:
    """Repeat the lines of the source until the target has its size in bytes."""
    with target.open("wb") as sink:
        for line in _lines(source):
            sink.write(line)
            if sink.tell() >= size:
                return


def _lines(source: Path) -> Iterator[bytes]:
    for copy in count():
        with source.open("rb") as file:
            for line in file:
                yield _renew(line, copy) if copy else line


def _renew(line: bytes, copy: int) -> bytes:
    """Give the ids another head, and the image another digest: digits are base64 too."""
    line = _IDS.sub(b"%02x" % copy, line[:_HEAD]) + line[_HEAD:]
    payload = line.find(_PAYLOAD)
    if payload < 0:
        return line
    place = payload + len(_PAYLOAD) + _DEEP
    stamp = b"%08d" % copy
    return line[:place] + stamp + line[place + len(stamp) :]


def main() -> None:
    """Enlarge one session."""
    parser = argparse.ArgumentParser(prog="python -m bench.enlarge", description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("mb", type=int)
    options = parser.parse_args()
    enlarge(options.source, options.target, options.mb * 1_000_000)


if __name__ == "__main__":
    main()
