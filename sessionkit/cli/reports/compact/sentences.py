"""What the figures of a compaction mean, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.printable import printable, shorten, without_base64
from sessionkit.cli.reports.compact.words import bytes_or_unknown, gate, place
from sessionkit.cli.sizes import count, share, size
from sessionkit.compaction import DEFAULT
from sessionkit.compaction.base import Cleared, Marker, Nothing, Plan
from sessionkit.compaction.projection import Worth
from sessionkit.ops.compact.result import STAYING, Part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.ops.compact import Compacted, Side

_LONGEST_QUOTE = 60


def sentences(result: Compacted) -> Iterator[str]:
    """Tell of the gate, the cut, the summary's input, what is left, and the cache."""
    yield gate(result.gate)
    match result.outcome:
        case Plan() as plan:
            yield from _cut(result, plan)
            yield _input(result, plan)
        case Cleared(cleared=references) if references:
            yield f"cleared in place: {count(len(references), 'block')}; no summary, and no cut"
        case _:
            pass
    yield from _after(result)
    yield from _wire(result)
    if not isinstance(result.outcome, Nothing):
        yield _cache(result)


def _cut(result: Compacted, plan: Plan) -> Iterator[str]:
    assert result.cut is not None
    says = shorten(printable(without_base64(result.cut.says)), _LONGEST_QUOTE)
    yield f"cut at {place(result.cut)}{says and f': {says}'}"
    if _fits(result):
        wanted = count(result.settings.keep_recent_tokens, "token")
        yield f"all of it is less than {wanted}: {result.strategy} then keeps what follows the first place where it can cut, and no more"
    yield f"it splits the turn that begins at {place(result.turn_start)}" if result.turn_start else "it splits no turn"
    if plan.dropped is not None:
        yield f"the call #{plan.dropped} is dropped: nobody waits for its result any more"


def _fits(result: Compacted) -> bool:
    """Whether all that could be cut is less than is to be kept, and some of it is summarised all the same: Pi cuts before no result."""
    portions = result.figures.portions
    open_ = sum(portion.tokens for portion in portions if portion.part not in {Part.SYSTEM, Part.EARLIER})
    return result.strategy == DEFAULT.name and open_ < result.settings.keep_recent_tokens


def _input(result: Compacted, plan: Plan) -> str:
    made = f"the summary is made from {count(result.figures.input_tokens, 'token')}"
    if not plan.stripped:
        return made
    stripped = f"{made}, without {count(len(plan.stripped), 'medium')}".replace("mediums", "media")
    if plan.marker is Marker.NONE:
        return f"{stripped}, which leave no trace (--marker mime leaves one)"
    return f"{stripped}, for which a placeholder stands"


def _after(result: Compacted) -> Iterator[str]:
    figures = result.figures
    if figures.after is not None and figures.verdict is not None:
        yield f"afterwards: {_side(figures.after)}{_change(figures.before.tokens, figures.after.tokens, figures.verdict)}"
        if figures.after.context not in {figures.after.tokens, 0}:
            yield f"with what recorded usage counts: {figures.before.context:,} tokens before, {figures.after.context:,} afterwards"
    elif isinstance(result.outcome, Plan):
        yield f"afterwards: {count(figures.before.tokens - figures.gone, 'token')} and the summary, which --summary FILE would count"


def _side(side: Side) -> str:
    media = [count(side.images, "image")] + [count(side.documents, "document")] * (side.documents > 0)
    return f"{count(side.tokens, 'token')}, {' and '.join(media)}, {bytes_or_unknown(side.media_bytes)} of base64"


def _change(before: int, after: int, verdict: Worth) -> str:
    if verdict is Worth.EQUAL:
        return "; nothing is gained"
    word = "smaller" if verdict is Worth.SMALLER else "larger"
    return f"; {word} by {share(abs(before - after), before)}"


def _wire(result: Compacted) -> Iterator[str]:
    before, after = result.figures.before, result.figures.after
    if before.wire_bytes is None:
        yield _about_bytes(result)
        return
    limit = f", at most {size(result.request_limit)}" if result.request_limit else ""
    later = f", {bytes_or_unknown(after.wire_bytes)} afterwards" if after else ""
    yield f"the whole request: {size(before.wire_bytes)}{later}{limit}"


def _about_bytes(result: Compacted) -> str:
    portions = result.figures.portions
    known = [(portion.part, portion.bytes) for portion in portions if portion.bytes is not None]
    if len(known) < len(portions):
        return "the bytes of the next request are unknown, because assets are missing"
    stays = sum(number for part, number in known if part in STAYING)
    base64 = bytes_or_unknown(result.figures.before.media_bytes)
    later = f"; {size(stays)} of it stay" if isinstance(result.outcome, Plan) else ""
    return f"the next request: about {size(sum(number for _, number in known))}, of which {base64} are base64{later}"


def _cache(result: Compacted) -> str:
    cache, tokens = result.figures.cache, result.figures.before.tokens
    stable = f"{count(cache.stable_messages, 'message')} with {share(cache.stable_tokens, tokens)} of the tokens"
    return f"of what a provider has in its cache survives: {stable}; {cache.tokens_behind:,} tokens are behind that"
