"""Media that stand somewhere else: only the vendor that a session was written for can resolve what it says of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sessionkit.core.model import Media

_GEMINI_PARTS: Final = ("/fileData", "/file_data")
_WITH_BARE_ADDRESSES: Final = frozenset({"plain", "codex"})
"""Formats in which OpenAI's images may be addresses and nothing else; the references of other vendors carry more."""
_LONGEST: Final = 100

_is_address = re.compile("(?:https?|gs):", re.IGNORECASE).match
_is_public = re.compile("https?:", re.IGNORECASE).match


def vendor_of(media: Media, uri: str, format_: str) -> str:
    """Name the vendor that resolves an address or the id of a file; empty if nobody is known to."""
    return _vendor_by_form(media) or ("openai" if _is_public(uri) and format_ in _WITH_BARE_ADDRESSES else "")


def trouble_with(media: Media, uri: str) -> str:
    """Say why a reference is none that any vendor could resolve; empty if it may be one."""
    if uri and (_is_address(uri) or _vendor_by_form(media)):
        return ""
    if uri[:5].lower() == "data:":
        return "a data URL that is not base64"
    return f"no asset of this session: {uri[:_LONGEST]}" if uri else "empty"


def _vendor_by_form(media: Media) -> str:
    if "source" in media.carried:
        return "anthropic"
    if not media.carried.keys().isdisjoint({"file_id", "file_url"}):
        return "openai"
    return "google" if media.origin.pointer.endswith(_GEMINI_PARTS) else ""
