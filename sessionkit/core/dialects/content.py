"""What all dialects share: content is a string, a list of blocks, a single block, or nothing."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, TypeAlias, cast

from sessionkit.core.media.scopes import escape_step
from sessionkit.core.model import Media, Origin, StandIn, Text, Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sessionkit.core.entries import JsonObject
    from sessionkit.core.model import Block, Carried, Json

Decoded: TypeAlias = "tuple[tuple[Block, ...], bool]"
"""Blocks in order, and whether the content was a bare string."""
BlockDecoder: TypeAlias = "Callable[[JsonObject, Origin], Iterable[Block]]"
"""Decodes one block of a vendor, which nearly always is one block of ours."""

_MOST_TOKENS = 10**12


def decode_content(content: object, origin: Origin, decode: BlockDecoder) -> Decoded:
    """Decode every block of a message's content, whose place is `origin`. Nothing is no blocks; a lone block is a list of one."""
    match content:
        case None:
            return (), False
        case str():
            return (Text(content, origin),), True
        case list():
            blocks = (_decode(item, below(origin, index), decode) for index, item in enumerate(content))
            return tuple(chain.from_iterable(blocks)), False
        case _:
            return tuple(_decode(content, origin, decode)), False


def below(origin: Origin, *steps: str | int) -> Origin:
    """Go down by names and indices."""
    pointer = origin.pointer
    for step in steps:
        pointer += f"/{step if isinstance(step, int) else escape_step(step)}"
    return Origin(origin.path, origin.line, origin.entry, pointer)


def shown(blocks: Iterable[Block]) -> tuple[Text | Media, ...]:
    """Give the content of a tool's result: a block that cannot stand there becomes its plain text, or the text that says so."""
    return tuple(block if isinstance(block, Text | Media) else _stand_in(block) for block in blocks)


def carry(block: JsonObject, *names: str) -> Carried:
    """Take the members that must be replayed verbatim."""
    return {name: cast("Json", block[name]) for name in names if name in block}


def string(value: object) -> str:
    """Return a string as it is, and nothing for anything else."""
    return value if isinstance(value, str) else ""


def token_count(value: object) -> int | None:
    """Return a number of tokens; None for what cannot be one: negative, not finite, more than any model takes, or no number."""
    match value:
        case bool():
            return None
        case int() | float() if 0 <= value <= _MOST_TOKENS:
            return int(value)
        case _:
            return None


def token_counts(usage: object, *names: str) -> list[int]:
    """Read parts of a usage by their names, those that are not there as 0. Nothing if a part cannot be, for then none can be trusted."""
    parts = [usage.get(name) for name in names] if isinstance(usage, dict) else []
    counts = [count for part in parts if (count := token_count(0 if part is None else part)) is not None]
    return counts if len(counts) == len(parts) else []


def _decode(item: object, origin: Origin, decode: BlockDecoder) -> Iterable[Block]:
    match item:
        case str():
            return (Text(item, origin),)
        case dict():
            return decode(item, origin)
        case _:
            return (Unsupported(type(item).__name__, origin),)


def _stand_in(block: Block) -> Text:
    match block:
        case Unsupported("resource", carried={"resource": {"text": str(text)}}):
            return Text(text, block.origin)
        case Unsupported("document", carried={"source": {"type": "text", "data": str(text)}}):
            return Text(text, block.origin)
    name = block.type if isinstance(block, Unsupported) else type(block).__name__.lower()
    return StandIn(f"[unsupported block: {name}]", block.origin)
