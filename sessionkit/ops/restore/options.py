"""What a restoration is told, and what it tells."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass, field
from sessionkit.ops.guards import Force
from sessionkit.ops.writing import Writing

if TYPE_CHECKING:
    from sessionkit.core.stores.addresses import Address
    from sessionkit.ops.ledger import Note
    from sessionkit.ops.outputs import Outcome
    from sessionkit.ops.targets import Transfer

MOST = 16 << 30
"""Bytes that a session may grow to unless more is asked for: a small hostile file can name one large asset many times."""


class Native(Enum):
    """What becomes of references that the agent wrote itself."""

    KEEP = auto()
    INLINE = auto()


class Missing(Enum):
    """What a missing or corrupt asset means."""

    STOP = auto()
    LEAVE = auto()


@dataclass(frozen=True, slots=True)
class Options:
    """How to restore. `store` is the asset folder; None for `images` beside each source. `most` bounds each output, in bytes."""

    native: Native = Native.KEEP
    missing: Missing = Missing.STOP
    most: int = MOST
    store: Address | None = None
    writing: Writing = field(default_factory=Writing)
    force: Force = Force.NO


@dataclass(slots=True)
class RestoreLedger:
    """Counts of one session; sizes in bytes. `native` are references of the agent itself, `left` those whose asset cannot be used."""

    read: int = 0
    written: int = 0
    references: int = 0
    native: int = 0
    left: int = 0
    notes: list[Note] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Restored:
    """A session that is done, or was tried."""

    transfer: Transfer
    store: Address
    outcome: Outcome
    ledger: RestoreLedger
