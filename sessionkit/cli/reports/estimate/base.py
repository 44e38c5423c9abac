"""What all reports of `estimate` have: the sums, and the verdict of --fail-over."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sessionkit.cli.conduct import Report
from sessionkit.dataclass import dataclass, field
from sessionkit.errors import ExitCode
from sessionkit.ops.estimate import NoteKind

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.ops.estimate import By, Estimated, Options
    from sessionkit.tokens import Kind


@dataclass(slots=True)
class EstimateTotals:
    """Sums over all sessions. Bytes are None as soon as those of one session are unknown.

    Images that were to be priced by their pixels and have the constant are `without_formula` or `without_size`.
    """

    sessions: int = 0
    messages: int = 0
    tokens: int = 0
    context: int = 0
    anchored: int = 0
    images: int = 0
    documents: int = 0
    free_media: int = 0
    without_formula: int = 0
    without_size: int = 0
    base64_as_text: int | None = 0
    request_bytes: int | None = 0
    base64_bytes: int | None = 0
    over: int = 0
    fails: int = 0
    kinds: Counter[Kind] = field(default_factory=Counter)
    profiles: Counter[str] = field(default_factory=Counter)

    def add(self, result: Estimated) -> None:
        """Add a session."""
        count, media = result.count, result.media
        self.sessions += 1
        self.messages += len(count.seen)
        self.tokens += count.total
        self.context += count.context
        self.anchored += count.anchor is not None
        self.images += media.images
        self.documents += media.documents
        self.free_media += count.free_media
        kinds = [note.kind for note in result.notes]
        self.without_formula += media.images if NoteKind.MODEL_UNKNOWN in kinds else 0
        self.without_size += kinds.count(NoteKind.SIZE_UNKNOWN)
        self.base64_as_text = _sum(self.base64_as_text, result.base64_as_text)
        self.request_bytes = _sum(self.request_bytes, result.wire)
        self.base64_bytes = _sum(self.base64_bytes, media.base64)
        self.over += result.gate.fires is True
        self.fails += result.fails
        for kind, tokens in count.by_kind().items():
            self.kinds[kind] += tokens
        for one in result.profiles:
            self.profiles[one.profile] += one.total


def _sum(so_far: int | None, more: int | None) -> int | None:
    return None if so_far is None or more is None else so_far + more


class EstimateReport(Report["Estimated"]):
    """Keeps the sums, and says nothing."""

    def __init__(self, how: Manner, options: Options, by: By | None) -> None:
        self._voice = how.voice
        self._verbosity = how.verbosity
        self._options = options
        self._by = by
        self._sums = EstimateTotals()

    def add(self, result: Estimated) -> None:
        """Add to the sums, and tell."""
        self._sums.add(result)
        self.tell(result)

    def tell(self, result: Estimated) -> None:
        """Tell of a session."""

    def close(self, code: ExitCode) -> None:
        """Sum up."""

    def verdict(self) -> ExitCode:
        """FINDINGS if a session is above the watermark, and --fail-over was given."""
        return ExitCode.FINDINGS if self._sums.fails else ExitCode.OK
