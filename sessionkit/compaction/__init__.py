"""How a conversation is made shorter: a shelf of strategies, one for each agent's way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.base import Strategy
from sessionkit.compaction.ink import Ink
from sessionkit.compaction.microcompact import Microcompact
from sessionkit.compaction.my_pi import MyPi
from sessionkit.compaction.pi import Pi
from sessionkit.compaction.qwen_split import QwenSplit

if TYPE_CHECKING:
    from typing import Final

__all__ = ["DEFAULT", "STRATEGIES", "Strategy", "strategy_of"]

DEFAULT: Final = Pi()
"""For every format: it counts images, and cuts inside a turn. A session of screenshots is one prompt and hundreds of rounds."""
STRATEGIES: Final[tuple[Strategy, ...]] = (DEFAULT, MyPi(), QwenSplit(), Microcompact(), Ink())
"""In the order of tables."""


def strategy_of(session_format: str) -> Strategy:
    """Find the strategy of the agent that wrote a format; the default one where it has none."""
    return next((strategy for strategy in STRATEGIES if session_format in strategy.formats), DEFAULT)
