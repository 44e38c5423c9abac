"""Images and documents for models that take none: a PDF is read as pictures of its pages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from sessionkit.core.model import Media, MediaKind, Text, ToolResult, media_of
from sessionkit.providers.replay.contents import with_contents
from sessionkit.providers.replay.remarks import Note, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from sessionkit.core.model import Block, Message
    from sessionkit.providers.replay.contents import Holder

_PDF: Final = "application/pdf"


def omit_declared(messages: tuple[Message, ...], model: str) -> Outcome:
    """Put one text in the place of each run of what says that it is an image or a PDF. Nothing is read."""
    return _omitting(messages, model, lambda media: media.kind is MediaKind.IMAGE or (media.media_type or "").lower().startswith(_PDF))


def omit_all(messages: tuple[Message, ...], model: str) -> Outcome:
    """Put one text in the place of each run of images, and of documents, whatever they said that they were."""
    return _omitting(messages, model, lambda _: True)


def _omitting(messages: tuple[Message, ...], model: str, goes: Callable[[Media], bool]) -> Outcome:
    notes = (
        Note(f"the {medium.kind} is left out: {model or 'the model'} takes none", medium.origin)
        for medium in media_of(messages)
        if goes(medium)
    )
    return Outcome(with_contents(messages, partial(_without, goes)), tuple(notes))


def _without(goes: Callable[[Media], bool], holder: Holder) -> list[Block]:
    """Leave out what goes; no second text stands behind an equal one."""
    blocks: list[Block] = []
    for block in holder.content:
        text = _stand_in(block, holder) if isinstance(block, Media) and goes(block) else None
        match blocks[-1:]:
            case [Text(before)] if before == text:
                pass
            case _:
                blocks.append(block if text is None else Text(text, block.origin))
    return blocks


def _stand_in(media: Media, holder: Holder) -> str:
    place = "tool " if isinstance(holder, ToolResult) else ""
    return f"({place}{media.kind} omitted: model does not support {media.kind}s)"
