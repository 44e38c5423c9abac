"""Read the text of a refusal: as it was printed, as JSON or part of a log, escaped, wrapped, behind the names of other programs."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from sessionkit.ops.locate.refusal import Facts, Refusal
from sessionkit.ops.locate.sayings import SAYINGS
from sessionkit.ops.locate.ways import provider_in, ways_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sessionkit.ops.locate.sayings import Saying
    from sessionkit.providers.body import Steps

MOST: Final = 1 << 24
"""Characters of a text that are looked at: a refusal may quote a picture."""
_KEPT: Final = 1 << 16
"""Characters that are searched, when what is quoted is cut short."""
_MANY_SIDE: Final = 2000
_LIMITS: Final = ("length", "side", "many_side", "media")

_colours = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]").sub
_frames = re.compile(r"[│┃╎▏⎿●⏺]|^[ \t]*[>|][ \t]?", re.MULTILINE).sub
"""What terminals and mails put around a text."""
_quoted = re.compile(r"([A-Za-z0-9+/]{200})[A-Za-z0-9+/=]+").sub
_escapes = re.compile(r"(?<!\\)\\+(u[0-9a-fA-F]{4}|[\"'/`nrt\n])").sub
_max_side = re.compile(r"max_side_length_pixels\W+(\d+)").search

_ESCAPED: Final = {"n": "\n", "r": "\n", "t": "\t", "\n": ""}


def read_refusal(text: str) -> Refusal:
    """Find out what a text says: which rule, about which places, and the numbers."""
    short = _quoted(r"\1", text[:MOST])[:_KEPT]
    plain = _escapes(_unescaped, _frames("", _colours("", short)))
    joined = "".join(map(str.strip, plain.splitlines()))
    ways = ways_in(joined)
    for saying in SAYINGS:
        if found := _search(saying, (plain, joined, _bare(plain))):
            groups = {name.removesuffix("_"): value for name, value in found.groupdict().items() if value}
            return Refusal(saying, ways or _position(groups), provider_in(joined), _facts(groups), _limits(groups) or _details(plain))
    return Refusal(None, ways, provider_in(joined))


def _search(saying: Saying, texts: Iterable[str]) -> re.Match[str] | None:
    """Search the text as it is, without its line breaks, and without white space; take the one that tells most."""
    found = filter(None, map(saying.pattern.search, texts))
    return max(found, key=lambda match: sum(bool(value) and "\n" not in value for value in match.groups()), default=None)


def _bare(text: str) -> str:
    """Take white space out: a terminal may have broken lines within words."""
    return "".join(text.split())


def _unescaped(found: re.Match[str]) -> str:
    escaped = found[1]
    if escaped.startswith("u"):
        return str(json.loads(f'"\\{escaped}"'))
    return _ESCAPED.get(escaped, escaped)


def _facts(groups: Mapping[str, str]) -> Facts:
    return Facts(
        _number_of(groups, "measured"),
        float(groups["megabytes"]) if "megabytes" in groups else None,
        _number_of(groups, "patches"),
        _number_of(groups, "most_patches"),
        groups.get("declared"),
        groups.get("detected"),
        tuple(map(str.strip, groups["ids"].split(","))) if "ids" in groups else (),
        _bare(groups["text"]) if "text" in groups else None,
        "failed" in groups,
    )


def _number_of(groups: Mapping[str, str], name: str) -> int | None:
    return _number(groups[name]) if name in groups else None


def _number(text: str) -> int:
    """Read a number that may have commas."""
    return int(text.replace(",", ""))


def _limits(groups: Mapping[str, str]) -> dict[str, int]:
    return {name: _number(groups[name]) for name in _LIMITS if name in groups}


def _position(groups: Mapping[str, str]) -> tuple[Steps, ...]:
    """Gemini counts contents from 1 where it speaks of positions."""
    return (("contents", int(groups["position"]) - 1),) if "position" in groups else ()


def _details(text: str) -> dict[str, int]:
    """Find the limit that stands beside a list of places; the lower one is that of requests with many images."""
    found = _max_side(text)
    if not found:
        return {}
    most = int(found[1])
    return {"many_side" if most <= _MANY_SIDE else "side": most}
