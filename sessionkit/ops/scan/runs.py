"""Base64 in raw bytes, outside of media sites: data URLs, and long runs of its alphabet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sessionkit.core.media.triage import LONG
from sessionkit.core.sniff import AAC, MP3, Family, sniff_base64
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_WINDOW = 48
_STRIDE = LONG - _WINDOW - 1
_HEAD = 4096

_is_window = re.compile(rb"[A-Za-z0-9+/]{%d}" % _WINDOW).match
_run = re.compile(rb"[A-Za-z0-9+/]*+={0,2}").match
_url = re.compile(rb'[dD][aA][tT][aA]:[^,"\\\s]{0,200}?;[bB][aA][sS][eE]64,(?=[A-Za-z0-9+/])(?!entire-asset:)').search
_url_before = re.compile(rb'data:[^,"\\\s]{0,200};base64,\Z', re.IGNORECASE).search
_LONGEST_PREFIX = 220


@dataclass(frozen=True, slots=True)
class Run:
    """`data[start:stop]` is base64 with the prefix of its data URL, if it has one; `is_media` if that or its head says so."""

    start: int
    stop: int
    is_media: bool


def base64_runs(data: bytearray, start: int, stop: int) -> Iterator[Run]:
    """All data URLs, and all runs of at least 1000 base64 characters, in `data[start:stop]`; in order."""
    for first, last in _long_runs(data, start, stop):
        prefix = _prefix_start(data, start, first)
        yield from _short_urls(data, start, prefix)
        yield Run(prefix, last, prefix < first or _has_media_head(data, first, last))
        start = last
    yield from _short_urls(data, start, stop)


def _short_urls(data: bytearray, start: int, stop: int) -> Iterator[Run]:
    while found := _url(data, start, stop):
        start = _end(data, found.end(), stop)
        yield Run(found.start(), start, is_media=True)


def _long_runs(data: bytearray, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Probe at places that are so close that every long run holds a whole window at one of them."""
    position = start + _STRIDE
    while position < stop:
        last = position
        if _is_window(data, position, stop):
            head = data[max(start, position - _STRIDE) : position]
            first = _behind_escape(data, start, position - len(head) + len(head.rstrip(_ALPHABET)))
            last = _end(data, position, stop)
            if last - first >= LONG:
                yield first, last
                start = last
        position = last + _STRIDE


def _behind_escape(data: bytearray, start: int, position: int) -> int:
    r"""Step over the letters of an escape (\n, \u00e9), which look like the run's own."""
    backslashes = position
    while backslashes > start and data[backslashes - 1] == 0x5C:  # noqa: PLR2004  a backslash
        backslashes -= 1
    if (position - backslashes) % 2 == 0:
        return position
    return position + (5 if data[position] == ord("u") else 1)


def _prefix_start(data: bytearray, start: int, position: int) -> int:
    begin = max(start, position - _LONGEST_PREFIX)
    found = _url_before(data[begin:position])
    return begin + found.start() if found else position


def _has_media_head(data: bytearray, start: int, stop: int) -> bool:
    media = sniff_base64(bytes(data[start : min(stop, start + _HEAD)]))
    return media.family is not Family.UNKNOWN and media not in {MP3, AAC}  # two bytes, which any blob may start with


def _end(data: bytearray, position: int, stop: int) -> int:
    found = _run(data, position, stop)
    return found.end() if found else position
