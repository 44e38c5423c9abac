"""What the reports of `gc` have in common."""

from __future__ import annotations

from typing import TypeAlias

from sessionkit.cli.conduct import Report
from sessionkit.dataclass import dataclass
from sessionkit.ops.gc import Collected, Purged, PutBack, StoreFailed, Tidied

Result: TypeAlias = Collected | Tidied | PutBack | Purged | StoreFailed
GcReport: TypeAlias = Report[Result]


@dataclass(slots=True)
class GcTotals:
    """Sums over all stores of a collection; sizes are in bytes."""

    stores: int = 0
    failed: int = 0
    assets: int = 0
    size: int = 0
    named: int = 0
    young: int = 0
    young_size: int = 0
    orphans: int = 0
    orphan_size: int = 0
    moved: int = 0
    moved_size: int = 0
    leftovers: int = 0

    def add(self, result: Result) -> None:
        """Add what was done to a store or another folder."""
        match result:
            case Collected(census, trash, leftovers):
                self.stores += 1
                self.assets += census.assets
                self.size += census.size
                self.named += census.named
                self.young += len(census.young)
                self.young_size += census.young_size
                self.orphans += len(census.orphans)
                self.orphan_size += census.orphan_size
                self.moved += len(trash.files) if trash else 0
                self.moved_size += trash.size if trash else 0
                self.leftovers += leftovers
            case Tidied(_, leftovers):
                self.leftovers += leftovers
            case StoreFailed():
                self.failed += 1
            case _:
                pass
