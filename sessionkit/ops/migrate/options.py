"""What a migration is told, and what it tells."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.core.assets import FOLDER
from sessionkit.core.media.intake import Policy
from sessionkit.ops.guards import Force
from sessionkit.ops.writing import Writing

if TYPE_CHECKING:
    from sessionkit.ops.ledger import Ledger
    from sessionkit.ops.outputs import Outcome
    from sessionkit.ops.targets import Transfer


@dataclass(frozen=True, slots=True)
class Options:
    """How to migrate. `store` is the asset folder; None for `images` beside each target."""

    policy: Policy = field(default_factory=Policy)
    store: Path | None = None
    writing: Writing = field(default_factory=Writing)
    force: Force = Force.NO

    def store_of(self, transfer: Transfer) -> Path:
        """Folder of the assets of a session."""
        if self.store is not None:
            return self.store
        return transfer.target.parent / FOLDER if transfer.target else Path(FOLDER)


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
    def store(self) -> Path:
        """Folder of its assets."""
        return self.options.store_of(self.transfer)
