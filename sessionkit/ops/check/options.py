"""What to look for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.pictures import Depth
from sessionkit.dataclass import dataclass
from sessionkit.faults import FAULTS, fault_of
from sessionkit.faults.profiles import ANY_HOST

if TYPE_CHECKING:
    from sessionkit.core.stores.addresses import Address
    from sessionkit.faults import Fault
    from sessionkit.faults.profiles import Wish


@dataclass(frozen=True, slots=True)
class Options:
    """What to look for, and how. `store` is the asset folder; None for `images` beside each session.

    `select` holds the ids of the only faults that count, none of them for all; `ignore` of those that do not count in any case.
    Raises UsageError for an id that no fault has.
    """

    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    wish: Wish = ANY_HOST
    depth: Depth = Depth.HEADERS
    store: Address | None = None

    def __post_init__(self) -> None:
        for id_ in sorted(self.select | self.ignore):
            fault_of(id_)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Faults to look for, in the order of the shelf."""
        wanted = (fault for fault in FAULTS if not self.select or fault.id in self.select)
        return tuple(fault for fault in wanted if fault.id not in self.ignore)
