"""The sentences below the table of `estimate`: what its numbers mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.sizes import count, size
from sessionkit.ops.estimate import AUTO
from sessionkit.tokens import Kind
from sessionkit.tokens.anchors import AnchorKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.cli.reports.estimate.base import EstimateTotals
    from sessionkit.ops.estimate import Count, Estimated, Options
    from sessionkit.tokens.gates import Reading

_COUNTED_BY = {AnchorKind.USAGE: "its provider", AnchorKind.CLIENT_ESTIMATE: "its client"}


def summary(sums: EstimateTotals, last: Estimated, options: Options) -> Iterator[str]:
    """Sum up all sessions; of a single one, which is the last, say more."""
    yield _estimate(sums, last.count, options)
    yield from _profiles(sums)
    yield from _dimensions(sums, last.count, options)
    yield _context(last.count) if sums.sessions == 1 else _contexts(sums)
    yield from _base64(sums)
    yield from _gate(last.gate)


def _estimate(sums: EstimateTotals, counted: Count, options: Options) -> str:
    sessions = f"{count(sums.sessions, 'session')}, {count(sums.messages, 'message')}: {sums.tokens:,} tokens"
    if options.profile == AUTO and sums.sessions > 1:
        return f"{sessions}, each by the profile of its own agent"
    media = sums.images + sums.documents
    priced = f"; {counted.constant:,} for each of {_media(sums)}" if media and not options.dimensions else ""
    return f"{sessions} by the profile {counted.profile}{priced}"


def _profiles(sums: EstimateTotals) -> Iterator[str]:
    if sums.profiles and sums.sessions > 1:
        yield "by all profiles: " + ", ".join(f"{profile} {tokens:,}" for profile, tokens in sums.profiles.items())


def _dimensions(sums: EstimateTotals, counted: Count, options: Options) -> Iterator[str]:
    if not options.dimensions or options.profile == AUTO or not sums.images:
        return
    tokens = f"{sums.kinds[Kind.IMAGES]:,} tokens for {count(sums.images, 'image')}"
    unpriced = sums.without_formula + sums.without_size
    if unpriced == sums.images:
        why = "their pixels are not known" if sums.without_size else "no formula is known for the model"
        yield f"{tokens} by the constant, {counted.constant:,} for each: {why}"
        return
    left = f", {unpriced:,} of them by the constant" if unpriced else ""
    yield f"{tokens} by their pixels{left}; by the constant it would be {counted.constant * sums.images:,}"


def _context(counted: Count) -> str:
    if counted.anchor is None:
        return "context: no usage is recorded that still holds, so all of it is estimated"
    who = _COUNTED_BY[counted.anchor.kind]
    line = counted.messages[counted.anchor.index].origin.line
    return f"context: {counted.anchor.tokens:,} tokens that {who} counted up to line {line}, and {counted.trailing:,} estimated after it"


def _contexts(sums: EstimateTotals) -> str:
    return f"context: {sums.context:,} tokens; {sums.anchored:,} of {count(sums.sessions, 'session')} have recorded usage that still holds"


def _base64(sums: EstimateTotals) -> Iterator[str]:
    if sums.base64_as_text is None or sums.request_bytes is None or sums.base64_bytes is None:
        yield "bytes of the next request: unknown, because assets are missing"
        return
    requests = "the next request" if sums.sessions == 1 else "the next requests"
    if sums.base64_bytes:
        yield f"with base64 counted as text it would be {sums.base64_as_text:,} tokens"
        yield f"{requests}: about {size(sums.request_bytes)}, of which {size(sums.base64_bytes)} are base64"
    else:
        yield f"{requests}: about {size(sums.request_bytes)}"


def _gate(gate: Reading) -> Iterator[str]:
    if gate.threshold is not None:
        yield f"limit: {gate.threshold:,} tokens of a window of {gate.window:,}, by the gate {gate.gate}"


def _media(sums: EstimateTotals) -> str:
    parts = [(sums.images, "image"), (sums.documents, "document")]
    media = " and ".join(count(number, noun) for number, noun in parts if number)
    return f"{sums.images + sums.documents - sums.free_media:,} of {media}" if sums.free_media else media
