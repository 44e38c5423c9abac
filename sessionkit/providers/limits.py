"""What an interface takes at most. State of November 2026."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from sessionkit.dataclass import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping


class Rule(StrEnum):
    """What is limited."""

    TYPE = "type"
    """Images of a type that the interface does not take; each counts by itself."""
    BASE64 = "base64"
    """Characters of base64 of one medium."""
    OUTPUT_BASE64 = "output_base64"
    """The same, in what a tool gave back."""
    SIDE = "side"
    """Pixels of an image's longer side."""
    MANY_SIDE = "many_side"
    """The same, in a request with many images."""
    PATCHES = "patches"
    """Squares of 32 pixels that cover an image, after the model's own shrinking."""
    OUTPUT_TEXT = "output_text"
    """Characters of text in what a tool gave back."""
    MEDIA = "media"
    """Images and documents of a request."""
    REQUEST = "request"
    """Bytes of a request."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that an interface takes, of what is limited at all.

    Above `cautious` some hosts, models or documents of the vendor say no, and others yes. MANY_SIDE holds for more than `many` images.
    """

    allowed: Mapping[Rule, int]
    cautious: Mapping[Rule, int] = field(default_factory=dict)
    many: int = 0


_MB: Final = 1_000_000
_MIB: Final = 1 << 20

_OPENAI: Final = {
    Rule.TYPE: 0,
    Rule.OUTPUT_BASE64: 20 * _MIB,
    Rule.PATCHES: 30_000,
    Rule.OUTPUT_TEXT: 10 * _MIB,
    Rule.MEDIA: 1500,
    Rule.REQUEST: 512 * _MB,
}
_OLDER_OPENAI: Final = {Rule.BASE64: 20 * _MIB}

LIMITS: Final[Mapping[str, Limits]] = {
    # The base64 is that of the vendor's own host since the middle of 2026; other hosts still take half of it. 100 media are for models
    # of 200,000 tokens, larger ones take 600.
    "anthropic-messages": Limits(
        {Rule.TYPE: 0, Rule.BASE64: 10 * _MIB, Rule.SIDE: 8000, Rule.MANY_SIDE: 2000, Rule.MEDIA: 100, Rule.REQUEST: 32 * _MB},
        {Rule.BASE64: 5 * _MIB},
        many=20,
    ),
    "openai-completions": Limits(_OPENAI, _OLDER_OPENAI),
    "openai-responses": Limits(_OPENAI, _OLDER_OPENAI),
    "openai-codex-responses": Limits({**_OPENAI, Rule.REQUEST: 64 * _MIB}, _OLDER_OPENAI),
    # The vendor's guide on images says 20 MB, the one on files 100 MB.
    "google-generative-ai": Limits(
        {Rule.TYPE: 0, Rule.MEDIA: 3600, Rule.REQUEST: 100 * _MB}, {Rule.BASE64: 20 * _MIB, Rule.REQUEST: 20 * _MB}
    ),
}
"""By the interface's name in sessions."""
