"""`compact` of one session, for people: all that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.reports.compact.base import CompactReport
from sessionkit.cli.reports.compact.media import tell_media
from sessionkit.cli.reports.compact.sentences import sentences
from sessionkit.cli.reports.compact.words import REASONS, aim, bytes_or_unknown
from sessionkit.cli.reports.skips import tell_skipped
from sessionkit.cli.tables import Column, Table
from sessionkit.cli.voice import Style
from sessionkit.compaction.base import Cleared
from sessionkit.ops.compact.plot.style import PARTS
from sessionkit.ops.compact.result import STAYING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.ops.compact import Compacted, Portion
    from sessionkit.tokens import Kind

_COLUMNS = (Column("messages", 8), Column("tokens", 9), Column("images", 6), Column("base64", 7), Column("bytes", 7))
_SUMMARISED = (Column("summarised", 10), Column("kept", 9))
_CLEARED = (Column("changed", 10), Column("as it is", 9))


class CompactText(CompactReport):
    """What becomes of the messages, part by part and kind by kind; then in sentences, and medium by medium."""

    def tell(self, result: Compacted) -> None:
        """Tell of a session."""
        voice = self._voice
        if self._sums.sessions > 1:
            voice.line()
        voice.paragraph(f"{result.source.path}: {aim(result)}; counted by the profile {result.profile}", 0, Style.HEADING)
        if result.reason:
            voice.paragraph(f"nothing to compact: {REASONS[result.reason]}", 0)
        self._tell_parts(result)
        for sentence in sentences(result):
            voice.paragraph(sentence, 0)
        tell_media(result, voice, self._verbosity)
        self._tell_notes(result)

    def _tell_parts(self, result: Compacted) -> None:
        portions = result.figures.portions
        table = Table(self._voice, "part", _COLUMNS)
        for portion in portions:
            figures = (f"{portion.messages:,}", f"{portion.tokens:,}", f"{portion.images:,}")
            table.row(PARTS[portion.part].name, *figures, bytes_or_unknown(portion.media_bytes), bytes_or_unknown(portion.bytes))
        gone, stays = ([one for one in portions if (one.part in STAYING) is stay] for stay in (False, True))
        kinds = Table(self._voice, "kind", _CLEARED if isinstance(result.outcome, Cleared) else _SUMMARISED)
        for kind in portions[0].by_kind if gone else ():
            tokens = (_sum(gone, kind), _sum(stays, kind))
            if any(tokens):
                kinds.row(kind.replace("_", " "), *(f"{count:,}" for count in tokens))

    def _tell_notes(self, result: Compacted) -> None:
        if result.notes:
            self._voice.line("to be taken with care:", Style.WARNING)
        for note in result.notes:
            self._voice.paragraph(f"{note.kind}: {note.cause}", 2)
        tell_skipped(result.skipped, str(result.source.path), self._voice, self._verbosity)


def _sum(portions: Sequence[Portion], kind: Kind) -> int:
    return sum(portion.by_kind[kind] for portion in portions)
