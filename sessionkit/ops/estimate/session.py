"""Estimate one session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import Unsupported, media_of
from sessionkit.core.stores.opening import open_store
from sessionkit.dataclass import dataclass
from sessionkit.ops.conversations import read_conversation
from sessionkit.ops.estimate.counting import choose_profiles, count, totals
from sessionkit.ops.estimate.media import MediaReader
from sessionkit.ops.estimate.options import ALL, Over
from sessionkit.ops.estimate.result import Estimated, Note, NoteKind
from sessionkit.ops.estimate.wire import json_bytes
from sessionkit.ops.sessions import spooled
from sessionkit.tokens import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sessionkit.core.model import Conversation, Message
    from sessionkit.ops.batch import Tick
    from sessionkit.ops.estimate.options import Dimensions, Options
    from sessionkit.ops.estimate.result import Count
    from sessionkit.ops.sources import Source
    from sessionkit.tokens.base import Pricing


@dataclass(frozen=True, slots=True)
class Task:
    """A session to estimate, and how."""

    source: Source
    options: Options


def estimate_session(task: Task, tick: Tick) -> Estimated:
    """Read a session and count; raises UnreadableError, and RefusedError for what is no session."""
    with spooled(task.source) as source, open_store(task.source.store(task.options.store)) as store:
        return estimate_conversation(read_conversation(source, tick, task.options.selection), task, MediaReader(store))


def estimate_conversation(conversation: Conversation, task: Task, reader: MediaReader) -> Estimated:
    """Count a conversation whose media can be read."""
    options, messages = task.options, conversation.messages
    media, media_notes = reader.totals(media_of(messages))
    pricing, pricing_notes = _find_pricing(options.dimensions, messages, reader)
    profiles = choose_profiles(conversation.format, options, pricing)
    counted = count(messages, profiles[0])
    gate = options.gate.read(counted.context, options.window)
    return Estimated(
        source=task.source,
        format=conversation.format,
        count=counted,
        media=media,
        base64_as_text=None if media.base64 is None else _without_media(counted) + -(-media.base64 // 4),
        wire=None if media.base64 is None else json_bytes(conversation) + media.base64,
        gate=gate,
        fails=options.over is Over.FAIL and gate.fires is True,
        profiles=totals(messages, profiles) if options.profile == ALL else (),
        notes=(*media_notes, *pricing_notes, *_unsupported(messages)),
        skipped=conversation.skipped,
    )


def _find_pricing(dimensions: Dimensions | None, messages: Sequence[Message], reader: MediaReader) -> tuple[Pricing | None, list[Note]]:
    if dimensions is None:
        return None, []
    from sessionkit.ops.estimate.dimensions import find_pricing  # noqa: PLC0415  the formulas cost start-up

    return find_pricing(dimensions, messages, reader)


def _without_media(counted: Count) -> int:
    by_kind = counted.by_kind()
    return counted.total - by_kind[Kind.IMAGES] - by_kind[Kind.DOCUMENTS]


def _unsupported(messages: Iterable[Message]) -> Iterator[Note]:
    for message in messages:
        for block in message.content:
            if isinstance(block, Unsupported):
                what = f"of type {block.type}" if block.type else "without a type"
                yield Note(NoteKind.UNSUPPORTED_BLOCK, block.origin, f"a block {what} is not counted")
