"""compact: what a compaction would make of a session. No model is asked, and no file is written."""

from __future__ import annotations

from sessionkit.ops.compact.options import AUTO, History, Images, Messages, Options, Others, Show, Telling, Tombstoned
from sessionkit.ops.compact.plan import Plan
from sessionkit.ops.compact.result import At, Cache, Compacted, Compared, Cost, Destiny, Fate, Figures, Part, Portion, Projected, Side
from sessionkit.ops.compact.session import Open, compacting

__all__ = [
    "AUTO",
    "At",
    "Cache",
    "Compacted",
    "Compared",
    "Cost",
    "Destiny",
    "Fate",
    "Figures",
    "History",
    "Images",
    "Messages",
    "Open",
    "Options",
    "Others",
    "Part",
    "Plan",
    "Portion",
    "Projected",
    "Show",
    "Side",
    "Telling",
    "Tombstoned",
    "compacting",
]
