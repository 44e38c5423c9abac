"""How a gallery is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass, field
from sessionkit.ops import compact
from sessionkit.tokens.gates import Gate, Watermark

if TYPE_CHECKING:
    from sessionkit.core.stores.addresses import Address


@dataclass(frozen=True, slots=True)
class Options:
    """Where the assets are, and what the timeline is measured by.

    `store` is the asset folder; None for `images` beside each session. `strategy` is that of the compaction that is previewed, AUTO for
    that of each session's own agent; `window` the model's, in tokens, None if nobody knows. Raises what the options of a preview raise.
    """

    store: Address | None = None
    strategy: str = compact.AUTO
    gate: Gate = field(default_factory=Watermark)
    window: int | None = None

    def __post_init__(self) -> None:
        self.preview(None)

    def preview(self, store: Address | None) -> compact.Options:
        """Ask a preview for all that a timeline shows."""
        telling = compact.Telling(messages=compact.Messages.LISTED, history=compact.History.RECORDED)
        return compact.Options(self.strategy, gate=self.gate, window=self.window, telling=telling, store=store)
