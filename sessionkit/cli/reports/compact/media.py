"""The fate of each medium, in a line."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sessionkit.cli.printable import printable, shorten, without_base64
from sessionkit.cli.sizes import size
from sessionkit.cli.voice import Style, Verbosity
from sessionkit.compaction.base import Marker, Plan
from sessionkit.ops.compact import Fate

if TYPE_CHECKING:
    from sessionkit.cli.voice import Voice
    from sessionkit.ops.compact import Compacted, Destiny

_FEW = 20
_DIGITS = 12
"""Of a hash: enough to tell the pictures of a session from each other."""
_LONGEST_TYPE = 24

_WORDS = {Fate.KEPT: "kept", Fate.STRIPPED: "stripped", Fate.TOMBSTONE: "with a tombstone", Fate.CLEARED: "cleared"}


def tell_media(result: Compacted, voice: Voice, verbosity: Verbosity) -> None:
    """Count fates, and tell each; of many the newest ones, unless all are wanted."""
    if not result.media:
        return
    fates = Counter(destiny.fate for destiny in result.media)
    voice.line(f"media: {', '.join(f'{fates[fate]:,} {words}' for fate, words in _WORDS.items() if fates[fate])}", Style.HEADING)
    shown = result.media if verbosity is Verbosity.VERBOSE else result.media[-_FEW:]
    traceless = isinstance(result.outcome, Plan) and result.outcome.marker is Marker.NONE
    if len(shown) < len(result.media):
        voice.line(f"  … {len(result.media) - len(shown):,} earlier ones (-v shows them)", Style.FAINT)
    for destiny in shown:
        voice.line(shorten(f"  {_line(destiny, traceless)}", voice.width))
        if destiny.trouble:
            voice.paragraph(destiny.trouble, 6, Style.FAINT)


def _line(destiny: Destiny, traceless: bool) -> str:
    place = f"#{destiny.message}, line {destiny.origin.line}"
    kind = shorten(printable(without_base64(destiny.media_type or "unknown type")), _LONGEST_TYPE)
    pixels = f"{destiny.size.width}x{destiny.size.height}" if destiny.size else "-"
    weight = "-" if destiny.bytes is None else size(destiny.bytes)
    digest = f"{destiny.sha256[:_DIGITS]}…" if destiny.sha256 else ""
    fate = f"{destiny.fate}{', no trace' if traceless and destiny.fate is Fate.STRIPPED else ''}"
    return f"{place:<14} {kind:<10} {pixels:>9} {weight:>7} {digest:<13} {fate}"
