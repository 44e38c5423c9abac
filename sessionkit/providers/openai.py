"""What both interfaces of OpenAI spell alike."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sessionkit.core.ecmajson import dumps
from sessionkit.core.model import Uri
from sessionkit.providers.body import Payload

if TYPE_CHECKING:
    from sessionkit.core.model import Media, ToolCall
    from sessionkit.providers.base import Target

_reasons = re.compile(r"(?!o1-(?:mini|preview)|gpt-[\d.]+-chat)(?:o[1-9]|gpt-[5-9](?:\.\d+)?|codex-mini)(?:-|$)").match
"""The model names of OpenAI's own; others serve such models under longer names, and may not know the role."""


def system_role(target: Target) -> str:
    """Name the role of instructions: reasoning models call it `developer`."""
    return "developer" if _reasons(target.model) else "system"


def arguments_text(call: ToolCall) -> str:
    """Write the arguments of a function's call: the model's own text, where the session holds it."""
    return dumps(call.arguments) if call.raw is None else call.raw


def address(media: Media) -> str | Payload:
    """Give a medium as an address: its own, or a data URL."""
    if isinstance(media.source, Uri):
        return media.source.uri
    return Payload(media, f"data:{media.media_type};base64,")


def file_id(media: Media) -> str | None:
    """Return the id of a file that was uploaded to the vendor, if the medium is one."""
    if isinstance(media.source, Uri) and media.carried.get("file_id") == media.source.uri:
        return media.source.uri
    return None


def file_name(media: Media) -> str:
    """Name a document; the interfaces want a name, and tell the type by it."""
    return media.name or ("document.pdf" if media.media_type == "application/pdf" else "document")
