"""Limits, media and places in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.sizes import size
from sessionkit.core.model import Stored
from sessionkit.providers.limits import Rule

if TYPE_CHECKING:
    from sessionkit.core.model import Origin
    from sessionkit.ops.rehydrate import Rehydrated
    from sessionkit.providers.base import Provider
    from sessionkit.providers.body import Steps
    from sessionkit.providers.checks import Excess, Seen

_DIGITS = 12
"""Of a hash: enough to tell the pictures of a session from each other."""

_SENTENCES = {
    Rule.BASE64: "{measured:,} characters of base64, at most {allowed:,}",
    Rule.OUTPUT_BASE64: "{measured:,} characters of base64 in a result, at most {allowed:,}",
    Rule.SIDE: "{pixels} pixels, at most {allowed:,} a side",
    Rule.MANY_SIDE: "{pixels} pixels, at most {allowed:,} a side in a request with so many images",
    Rule.PATCHES: "{pixels} pixels are {measured:,} patches, at most {allowed:,}",
    Rule.OUTPUT_TEXT: "{measured:,} characters in a result, at most {allowed:,}",
    Rule.MEDIA: "{measured:,} images and documents, at most {allowed:,}; this is the first one too many",
    Rule.REQUEST: "{measured:,} bytes, at most {allowed:,}",
}


def excess_line(excess: Excess, result: Rehydrated) -> str:
    """Tell where in the body and in the session, by how much, and by which image a limit is exceeded."""
    spot = excess.spot
    place = f"{way(result.numbered(spot.steps))} ({place_of(spot.origin)})" if spot.steps else "the body"
    medium = f": {name_of(spot.seen)}" if spot.seen else ""
    return f"{place}: {sentence(excess, result.provider)}{medium}"


def sentence(excess: Excess, provider: Provider) -> str:
    """Compare what was measured with what is allowed."""
    facts = excess.spot.seen.facts if excess.spot.seen else None
    if excess.rule is Rule.TYPE and facts:
        if facts.type.mime in provider.image_types:
            return f"{facts.type.mime}, which is taken without animation only"
        return f"{facts.type.mime}, and only {', '.join(sorted(provider.image_types))} are taken"
    pixels = f"{facts.size.width}x{facts.size.height}" if facts and facts.size else ""
    return _SENTENCES[excess.rule].format(measured=excess.measured, allowed=excess.allowed, pixels=pixels)


def way(steps: Steps) -> str:
    """Write the way into a body as providers do in their refusals: `messages.3.content.1`."""
    return ".".join(map(str, steps))


def name_of(seen: Seen) -> str:
    """Name a medium: its asset, else what it is."""
    source, facts = seen.media.source, seen.facts
    if isinstance(source, Stored):
        return source.asset.reference
    return f"{facts.type.mime} {size(facts.bytes)} sha256:{facts.sha256[:_DIGITS]}…"


def place_of(origin: Origin) -> str:
    """Name the line of the session, and its entry if it has an id."""
    line = f"line {origin.line}" if origin.line else "not in the session"
    return line + (f", entry {origin.entry}" if origin.entry else "")
