"""The ledger of a session as JSON, for the journal of a batch, and back."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sessionkit.core.assets import FOLDER, AssetName
from sessionkit.core.stores.base import Stored
from sessionkit.dataclass import fields
from sessionkit.ops.ledger import Kept, Ledger, Note

if TYPE_CHECKING:
    from sessionkit.ops.resume.entry import Record

_FIGURES = tuple(field.name for field in fields(Ledger) if field.name not in {"assets", "causes", "notes"})


def record_of(ledger: Ledger) -> Record:
    """Write down all that a report may ask for."""
    return {
        **{name: getattr(ledger, name) for name in _FIGURES},
        "assets": {name.file_name: (kept.stored.name, kept.length) for name, kept in ledger.assets.items()},
        "causes": dict(ledger.causes),
        "notes": [(note.line, note.pointer, note.cause) for note in ledger.notes],
    }


def ledger_of(record: Record) -> Ledger:
    """Read what was written down; ValueError, TypeError, LookupError or AttributeError for anything else."""
    return Ledger(
        **{name: int(record[name]) for name in _FIGURES},
        assets=assets_of(record),
        causes=Counter({str(cause): int(number) for cause, number in record["causes"].items()}),
        notes=[Note(int(line), str(pointer), str(cause)) for line, pointer, cause in record["notes"]],
    )


def assets_of(record: Record) -> dict[AssetName, Kept]:
    """Read only which assets the session was given."""
    return {AssetName.parse(f"{FOLDER}/{name}"): Kept(Stored[kind], int(length)) for name, (kind, length) in record["assets"].items()}
