"""How the context of the next request grows message by message, how far it may, and where it was and would be cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import MediaKind, Role, media_of
from sessionkit.dataclass import dataclass
from sessionkit.ops.compact import compacting
from sessionkit.ops.compact.result import At
from sessionkit.ops.estimate.media import MediaReader
from sessionkit.ops.estimate.wire import message_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.compaction.recorded import Recorded
    from sessionkit.core.model import Message
    from sessionkit.core.stores.base import AssetStore
    from sessionkit.ops.compact import Compacted, Cost, Options
    from sessionkit.ops.sources import Source
    from sessionkit.tokens.gates import Reading


@dataclass(frozen=True, slots=True)
class Cut:
    """Where the context begins anew, before the message of that index: as its agent `recorded` it, or as the preview would have it."""

    at: At
    recorded: Recorded | None = None


@dataclass(frozen=True, slots=True)
class Timeline:
    """The messages of a conversation in their order, with what becomes of each, its tokens, about its bytes, and its images.

    `bytes` are those in a request, base64 included; None where an asset is missing. `tokens` are those of the whole context as the
    strategy's profile counts it. `gate` says from where on its agent would compact, if a window is known.
    """

    strategy: str
    profile: str
    tokens: int
    costs: tuple[Cost, ...]
    bytes: tuple[int | None, ...]
    images: tuple[int, ...]
    gate: Reading
    cuts: tuple[Cut, ...]


def timeline_of(source: Source, messages: Sequence[Message], store: AssetStore, options: Options) -> Timeline:
    """Preview the compaction of a session that can be read twice, whose messages are known. Raises what `compacting` raises."""
    with compacting(source, options) as opened:
        found = opened.compacted
    reader = MediaReader(store)
    return Timeline(
        found.strategy,
        found.profile,
        found.figures.before.tokens,
        found.messages,
        tuple(_size(message, reader) for message in messages),
        tuple(sum(media.kind is MediaKind.IMAGE for media in media_of([message])) for message in messages),
        found.gate,
        tuple(_cuts(found, messages)),
    )


def _size(message: Message, reader: MediaReader) -> int | None:
    totals, _ = reader.totals(media_of([message]))
    return None if totals.base64 is None else message_bytes([message]) + totals.base64


def _cuts(found: Compacted, messages: Sequence[Message]) -> Iterator[Cut]:
    for recorded in found.recorded:
        yield Cut(_at(recorded, messages), recorded)
    if found.cut:
        yield Cut(found.cut)


def _at(recorded: Recorded, messages: Sequence[Message]) -> At:
    """Find the summary of a compaction; of one before that, whose summary is gone, the first message that came later."""
    line = recorded.origin.line
    for index, message in enumerate(messages):
        if message.origin.line == line and message.role is Role.COMPACTION:
            return At(index, message.role, recorded.origin)
    index = next((index for index, message in enumerate(messages) if message.origin.line > line), len(messages))
    return At(index, None, recorded.origin)
