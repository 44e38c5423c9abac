"""What a migration is told, and what it tells."""

from __future__ import annotations

import os
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.core.assets import FOLDER
from sessionkit.core.media.intake import Policy
from sessionkit.dataclass import dataclass, field
from sessionkit.ops.guards import Force
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
        return _beside(os.path.dirname(transfer.target)) if transfer.target else Path(FOLDER)  # noqa: PTH120  asked for every session


@lru_cache(maxsize=256)
def _beside(folder: str) -> Path:
    return Path(folder, FOLDER)


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
