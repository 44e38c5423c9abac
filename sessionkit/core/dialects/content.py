"""What all dialects share: content is a string, a list of blocks, a single block, or nothing."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, cast

from sessionkit.core.media.scopes import escape_step
from sessionkit.core.model import Media, Origin, StandIn, Text, Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sessionkit.core.entries import JsonObject
    from sessionkit.core.model import Block, Carried

Decoded: TypeAlias = "tuple[tuple[Block, ...], bool]"
"""Blocks in order, and whether the content was a bare string."""
BlockDecoder: TypeAlias = "Callable[[JsonObject, Origin], Iterable[Block]]"
"""Decodes one block of a vendor, which nearly always is one block of ours."""

_MOST_TOKENS = 10**12


def decode_content(content: object, origin: Origin, decode: BlockDecoder) -> Decoded:
    """Decode every block of a message's content, whose place is `origin`. Nothing is no blocks; a lone block is a list of one."""
    if isinstance(content, list):
        blocks: list[Block] = []
        for index, item in enumerate(content):
            blocks += _decode(item, below(origin, index), decode)
        return tuple(blocks), False
    if isinstance(content, str):
        return (Text(content, origin),), True
    if content is None:
        return (), False
    return tuple(_decode(content, origin, decode)), False


def below(origin: Origin, *steps: str | int) -> Origin:
    """Go down by names and indices."""
    return Origin(origin.path, origin.line, origin.entry, _pointer(origin.pointer, *steps))


@lru_cache(1 << 8)
def _pointer(pointer: str, *steps: str | int) -> str:
    """Write a pointer. A session has few different ones, which come again on each of its lines."""
    return "".join((pointer, *(f"/{escape_step(step)}" for step in steps)))


def shown(blocks: Iterable[Block]) -> tuple[Text | Media, ...]:
    """Give the content of a tool's result: a block that cannot stand there becomes its plain text, or the text that says so."""
    return tuple([block if isinstance(block, (Text, Media)) else _stand_in(block) for block in blocks])


def carry(block: JsonObject, *names: str) -> Carried:
    """Take the members that must be replayed verbatim."""
    carried: JsonObject = {}
    for name in names:
        if name in block:
            carried[name] = block[name]
    return cast("Carried", carried)


def string(value: object) -> str:
    """Return a string as it is, and nothing for anything else."""
    return value if isinstance(value, str) else ""


def token_count(value: object) -> int | None:
    """Return a number of tokens; None for what cannot be one: negative, not finite, more than any model takes, or no number."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS:
        return int(value)
    return None


def token_counts(usage: object, *names: str) -> list[int]:
    """Read parts of a usage by their names, those that are not there as 0. Nothing if a part cannot be, for then none can be trusted."""
    if not isinstance(usage, dict):
        return []
    counts = []
    for name in names:
        part = usage.get(name)
        count = 0 if part is None else token_count(part)
        if count is None:
            return []
        counts.append(count)
    return counts


def _decode(item: object, origin: Origin, decode: BlockDecoder) -> Iterable[Block]:
    if isinstance(item, dict):
        return decode(item, origin)
    return (Text(item, origin) if isinstance(item, str) else Unsupported(type(item).__name__, origin),)


def _stand_in(block: Block) -> Text:
    match block:
        case Unsupported("resource", carried={"resource": {"text": str(text)}}):
            return Text(text, block.origin)
        case Unsupported("document", carried={"source": {"type": "text", "data": str(text)}}):
            return Text(text, block.origin)
    name = block.type if isinstance(block, Unsupported) else type(block).__name__.lower()
    return StandIn(f"[unsupported block: {name}]", block.origin)
