"""What stands on a raw line that is not one JSON value: whole records, and what is left of others."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sessionkit.core.entries import JsonObject

_padding = re.compile(rb"(?:[ \t\r\n\x00]|\xef\xbb\xbf)*+").match
_PADDING: Final = b" \t\r\n\0"
_record = re.compile(r'\{"(?:parentUuid|type|timestamp|uuid|id|sessionId|\$set|\$rewindTo|role)"').finditer
"""How the records of the agents begin."""
_behind = re.compile(r"[\0 \t\r\n]*+(.?)").match
_commas = re.compile(r"[, \t]*+").match
_INSIDE: Final = frozenset("[,:")
"""What stands before a value within another."""
_decode = json.JSONDecoder(strict=False).raw_decode
"""Control characters may stand in strings: no JSON parser of an agent takes them, but the record is whole."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes `start` to `stop` of a line: a whole object or array, or a stub, which is less than that."""

    start: int
    stop: int
    is_whole: bool


def pieces_of(raw: bytes, format_: str) -> tuple[Piece, ...]:
    """Part a line into pieces; padding between them belongs to none. Nothing for a blank line, or one that is nested too deep.

    A record is whole with control characters in its strings too. A stub ends where a record of this format begins that is whole, and
    behind which the line ends or another record begins. A comma between records, as in a list, is a stub of its own.
    """
    try:
        return tuple(_pieces(raw, format_))
    except RecursionError:
        return ()


def is_padding(raw: bytes) -> bool:
    """Whether nothing stands on a line but what may stand between records."""
    return _skip(raw, 0) == len(raw)


def _pieces(raw: bytes, format_: str) -> Iterator[Piece]:
    text = raw.decode("latin-1")  # a character is a byte, and the grammar is ASCII
    position, end = _skip(raw, 0), len(raw.rstrip(_PADDING))
    while position < end:
        stop = _whole(text, position)
        if stop is None:
            start = position
            position = _behind_commas(text, start, format_) or _next_record(text, start, format_) or end
            yield Piece(start, len(raw[start:position].rstrip(_PADDING)) + start, is_whole=False)
        else:
            yield Piece(position, stop, is_whole=True)
            position = _skip(raw, stop)


def _skip(raw: bytes, position: int) -> int:
    found = _padding(raw, position)
    return found.end() if found else position


def _whole(text: str, position: int) -> int | None:
    """End of the object or array that begins here; None if none does, or none that is whole."""
    if text[position] not in "{[":
        return None
    try:
        return _decode(text, position)[1]
    except ValueError:
        return None


def _behind_commas(text: str, start: int, format_: str) -> int | None:
    """Where a whole record begins behind nothing but commas; the rest of a torn one may begin so too, and goes on behind its parts."""
    found = _commas(text, start)
    if found is None or found.end() in {start, len(text)}:
        return None
    try:
        value, stop = _decode(text, found.end())
    except ValueError:
        return None
    behind = _behind(text, stop)
    is_record = isinstance(value, dict) and _RECORDS.get(format_, _is_any)(value)
    return found.end() if is_record and behind and behind[1] in {"", "{", ","} else None


def _next_record(text: str, start: int, format_: str) -> int | None:
    is_record = _RECORDS.get(format_, _is_none)
    for found in _record(text, start + 1):
        try:
            value, stop = _decode(text, found.start())
        except ValueError:
            continue
        behind = _behind(text, stop)
        if (
            is_record(value)
            and behind
            and behind[1] in {"", "{"}
            and not (text[found.start() - 1] in _INSIDE and _may_stand_inside(value, format_))
        ):
            return found.start()
    return None


def _may_stand_inside(value: JsonObject, format_: str) -> bool:
    """Whether it may be a part of another record: the messages that Gemini CLI sets look like those that it adds."""
    return format_ == "gemini-cli" and "id" in value


def _is_any(_: JsonObject) -> bool:
    return True


def _is_none(_: JsonObject) -> bool:
    return False


def _is_claude_codes(value: JsonObject) -> bool:
    return "sessionId" in value and "type" in value


def _is_qwens(value: JsonObject) -> bool:
    return {"uuid", "sessionId", "type"} <= value.keys()


def _is_pis(value: JsonObject) -> bool:
    return {"type", "id"} <= value.keys() and not value.keys().isdisjoint({"parentId", "timestamp"})


def _is_native(value: JsonObject) -> bool:
    return {"id", "timestamp"} <= value.keys()


def _is_codexs(value: JsonObject) -> bool:
    return {"type", "timestamp", "payload"} <= value.keys()


def _is_geminis(value: JsonObject) -> bool:
    return not value.keys().isdisjoint({"$set", "$rewindTo", "projectHash"}) or {"type", "timestamp", "id"} <= value.keys()


_RECORDS: Final[dict[str, Callable[[JsonObject], bool]]] = {
    "claude-code": _is_claude_codes,
    "qwen-code": _is_qwens,
    "pi": _is_pis,
    "ink": _is_pis,
    "native": _is_native,
    "codex": _is_codexs,
    "gemini-cli": _is_geminis,
}
