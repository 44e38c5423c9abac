"""What strategies do, and why not, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.printable import printable, shorten, without_base64
from sessionkit.cli.sizes import size
from sessionkit.compaction.base import Cleared, Reason, Split

if TYPE_CHECKING:
    from sessionkit.ops.compact import At, Compacted
    from sessionkit.tokens.gates import Reading

_LONGEST_ID = 40

REASONS = {
    Reason.EMPTY: "it has no messages",
    Reason.UNDER_BUDGET: "all of it fits into what is kept",
    Reason.ENDS_IN_COMPACTION: "it was compacted just now, and nothing came after that",
    Reason.NO_CUT_POINT: "there is no message that it could be cut at",
    Reason.NOTHING_BEFORE_CUT: "nothing stands before the cut",
    Reason.SINGLE_TURN: "it is one turn, and this strategy cuts none; pi does",
    Reason.NOTHING_BEFORE_SPLIT: "nothing stands before the split",
    Reason.BELOW_MIN_FRACTION: "less than 5% of it would be summarised",
    Reason.NOTHING_TO_CLEAR: "there is nothing old to clear",
}


def aim(result: Compacted) -> str:
    """Tell what the strategy was set to."""
    settings = result.settings
    match result.outcome:
        case Cleared():
            return f"{result.strategy}, keeping the newest {settings.keep_recent:,} of each group"
        case outcome if isinstance(outcome.split, Split):
            return f"{result.strategy}, summarising {float(settings.fraction):.0%} of the characters"
        case _:
            return f"{result.strategy}, keeping {settings.keep_recent_tokens:,} tokens"


def gate(reading: Reading) -> str:
    """Tell whether the gate fires, by which tokens, and from where on."""
    if reading.threshold is None or reading.window is None:
        return f"gate {reading.gate}: no window is known (--window), and {reading.tokens:,} tokens are in the context"
    verb = "fires" if reading.fires else "does not fire"
    limit = f"{reading.threshold:,} of {reading.window:,}"
    return f"gate {reading.gate} {verb}: {reading.tokens:,} tokens are in the context, and the limit is {limit}"


def place(at: At) -> str:
    """Tell which message it is, and where it stands in the file."""
    if at.role is None:
        return f"#{at.index}, behind the last message"
    entry = f", entry {identity(at.origin.entry)}" if at.origin.entry else ""
    return f"#{at.index}, {at.role}, line {at.origin.line}{entry}"


def identity(entry: str) -> str:
    """Show an id that others chose."""
    return shorten(printable(without_base64(entry)), _LONGEST_ID)


def bytes_or_unknown(count: int | None) -> str:
    """Bytes, where they are known."""
    return "unknown" if count is None else size(count)
