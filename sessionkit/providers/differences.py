"""Where two JSON values part, and how to show a value without its media."""

from __future__ import annotations

import hashlib
import json
import re
from enum import Enum
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.base64 import NotCanonicalError, decode_lenient
from sessionkit.core.dialects.embedded import medium_of, part_media
from sessionkit.core.ecmajson import dumps
from sessionkit.core.model import NOWHERE, Inline, Uri
from sessionkit.core.sniff import sniff
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Json, Media
    from sessionkit.providers.body import Steps


class Missing(Enum):
    """Stands for a value that only the other side has."""

    MISSING = "(nothing)"


MISSING = Missing.MISSING
Found: TypeAlias = "Json | Missing"


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place in which two values differ, and what each has there."""

    steps: Steps
    earlier: Found
    later: Found


@dataclass(frozen=True, slots=True)
class _Pair:
    """Values of one place. In a free one tools have set the names, and their order goes to the model too."""

    steps: Steps
    earlier: Found
    later: Found
    is_free: bool = False


_FREE = frozenset({"input", "args", "response", "input_schema", "parameters", "parametersJsonSchema"})
_is_name = re.compile(r"[A-Za-z_]\w*", re.ASCII).fullmatch
_BLOB = re.compile(r"[A-Za-z0-9+/_=-]{64,}")
_LONGEST = 100
_DIGEST = 12


def first_difference(earlier: Json, later: Json) -> Difference | None:
    """Find where two values part; None if they never do. A medium differs as a whole, never inside."""
    todo = [_Pair((), earlier, later)]
    while todo:
        pair = todo.pop()
        if _differs(pair):
            return Difference(pair.steps, pair.earlier, pair.later)
        todo += reversed(list(_below(pair)))
    return None


def path_of(steps: Steps) -> str:
    """Write a way into a body as JavaScript would: `messages[3].content[1].text`."""
    parts = (f"[{step}]" if isinstance(step, int) else f".{step}" if _is_name(step) else f"[{json.dumps(step)}]" for step in steps)
    return "".join(parts).removeprefix(".")


def shown(value: Found) -> str:
    """Show a value in about a hundred characters: media by type, bytes and hash, other base64 by its length alone."""
    if isinstance(value, Missing):
        return value.value
    parted = part_media(value, NOWHERE)
    text = _BLOB.sub(lambda found: f"({len(found[0]):,} characters)", dumps(parted.rest))
    media = ", ".join(map(_described, parted.media))
    if parted.rest is None and media:
        return media
    return (text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…") + (f" with {media}" if media else "")


def _differs(pair: _Pair) -> bool:
    """Whether two values differ, whatever is inside of them."""
    match pair.earlier, pair.later:
        case dict() as earlier, dict() as later:
            return _medium(earlier) != _medium(later)
        case list(), list():
            return False
        case earlier, later:
            return isinstance(earlier, bool) != isinstance(later, bool) or earlier != later


def _medium(holder: dict[str, Json]) -> Media | None:
    return medium_of(holder, NOWHERE)


def _below(pair: _Pair) -> Iterator[_Pair]:
    match pair.earlier, pair.later:
        case dict() as earlier, dict() as later:
            for name in dict.fromkeys((*earlier, *later)):
                is_free = pair.is_free or name in _FREE
                yield _Pair((*pair.steps, name), earlier.get(name, MISSING), later.get(name, MISSING), is_free)
            if pair.is_free:
                yield _Pair(pair.steps, _names(earlier), _names(later))
        case list() as earlier, list() as later:
            for at, (item, other) in enumerate(zip_longest(earlier, later, fillvalue=MISSING)):
                yield _Pair((*pair.steps, at), item, other, pair.is_free)


def _names(members: dict[str, Json]) -> str:
    return f"names in the order {', '.join(members)}"


def _described(media: Media) -> str:
    match media.source:
        case Inline(text):
            return _described_text(text, media.media_type)
        case Uri(uri):
            return uri[:_LONGEST]
        case other:
            raise AssertionError(other)


def _described_text(text: str, declared: str | None) -> str:
    try:
        data = decode_lenient(text.encode("utf-8", "surrogatepass"))
    except NotCanonicalError:
        return f"{declared or 'media'}, {len(text):,} characters that are not base64"
    return f"{declared or sniff(data).mime}, {len(data):,} bytes, sha256:{hashlib.sha256(data).hexdigest()[:_DIGEST]}"
