"""Signatures that Gemini gives to what it says, as sessions hold them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sessionkit.core.model import Carried, Json

_NAMES = ("thoughtSignature", "thought_signature", "textSignature")
"""Gemini's own, in two spellings, and Pi's for texts."""

_is_base64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?").fullmatch


def checked(signature: Json) -> str:
    """Return a signature that Gemini takes, which is base64; nothing for any other value, such as what OpenAI puts in its place."""
    return signature if isinstance(signature, str) and _is_base64(signature) else ""


def signature_of(carried: Carried) -> str:
    """Find the signature of a text or call; empty if there is none that Gemini takes."""
    return next(filter(None, (checked(carried.get(name)) for name in _NAMES)), "")
