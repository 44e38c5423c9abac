"""A progress bar on standard error, for people who wait."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sessionkit.cli.voice import Voice

_WORTH_A_BAR = 16 << 20
"""Bytes; less is done before a bar has been drawn."""


@contextmanager
def progress(total: int, voice: Voice) -> Iterator[Callable[[int], None]]:
    """Give a function that takes the bytes that are done, and shows them on a terminal."""
    if total < _WORTH_A_BAR or not sys.stderr.isatty():
        yield lambda _size: None
        return
    from tqdm import tqdm

    tqdm.monitor_interval = 0  # its thread would be in the way of forking
    with tqdm(total=total, unit="B", unit_scale=True, file=sys.stderr, leave=False, dynamic_ncols=True) as bar:
        voice.clear = bar.clear

        def tick(size: int) -> None:
            bar.update(size)

        try:
            yield tick
        finally:
            voice.clear = lambda: None
