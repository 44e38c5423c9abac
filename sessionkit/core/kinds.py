"""What people call kinds of content, also of what is no medium."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sessionkit.core.sniff import MediaType

_html = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE).match


def is_html(data: bytes) -> bool:
    """Whether a text begins as a web page does."""
    return _html(data) is not None


def short_name(media: MediaType) -> str:
    """Name a type as people do: PNG, JPEG, SVG, PDF, WAV."""
    return media.mime.partition("/")[2].removesuffix("+xml").removeprefix("x-").upper()
