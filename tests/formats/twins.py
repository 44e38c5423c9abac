"""Conversations that differ only in where their media are: in the lines, or beside the session."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from sessionkit.core.model import Inline, Media, Stored, ToolResult, Uri
from sessionkit.core.slices import Slice

if TYPE_CHECKING:
    from sessionkit.core.model import Block, Conversation, MediaSource

B = TypeVar("B", bound="Block")


def located(conversation: Conversation) -> Conversation:
    """Put the hash of its bytes in the place of each medium, and forget its size, which only a reference states."""
    messages = (replace(message, content=tuple(map(_located, message.content))) for message in conversation.messages)
    return replace(conversation, messages=tuple(messages))


def _located(block: B) -> B:
    match block:
        case Media():
            return replace(block, source=Uri(_digest(block.source)), size=None)
        case ToolResult(content=content):
            return replace(block, content=tuple(map(_located, content)))
        case _:
            return block


def _digest(source: MediaSource) -> str:
    match source:
        case Stored(asset):
            return asset.digest
        case Uri(uri):
            return uri
        case Inline(data):
            return _hash(data)
        case Slice():
            return _hash(source.read())


def _hash(data: str) -> str:
    try:
        return hashlib.sha256(base64.b64decode(data, validate=True)).hexdigest() if data else ""
    except ValueError:
        return data  # not canonical: it stayed
