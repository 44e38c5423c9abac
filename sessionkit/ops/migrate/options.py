"""What a migration is told, and what it tells."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.core.assets import FOLDER
from sessionkit.core.media.policy import Policy
from sessionkit.dataclass import dataclass, field
from sessionkit.ops.guards import Force
from sessionkit.ops.sources import assets_beside
from sessionkit.ops.writing import Writing

if TYPE_CHECKING:
    from sessionkit.core.stores.addresses import Address
    from sessionkit.ops.ledger import Ledger
    from sessionkit.ops.outputs import Outcome
    from sessionkit.ops.targets import Transfer


@dataclass(frozen=True, slots=True)
class Options:
    """How to migrate. `store` is the asset folder; None for `images` beside each target."""

    policy: Policy = field(default_factory=Policy)
    store: Address | None = None
    writing: Writing = field(default_factory=Writing)
    force: Force = Force.NO

    def store_of(self, transfer: Transfer) -> Address:
        """Where the assets of a session go."""
        if self.store is not None:
            return self.store
        return assets_beside(transfer.target) if transfer.target else Path(FOLDER)


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a target, and the counts."""

    outcome: Outcome
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class Migrated:
    """A session that is done, or was tried."""

    transfer: Transfer
    options: Options
    outcome: Outcome
    ledger: Ledger

    @property
    def store(self) -> Address:
        """Where its assets are."""
        return self.options.store_of(self.transfer)
