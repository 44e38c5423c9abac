"""The ledger of a restored session as JSON, for the journal of a batch, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.dataclass import fields
from sessionkit.ops.ledger import Note
from sessionkit.ops.restore.options import RestoreLedger

if TYPE_CHECKING:
    from sessionkit.ops.resume.entry import Record

_FIGURES = tuple(field.name for field in fields(RestoreLedger) if field.name != "notes")


def record_of(ledger: RestoreLedger) -> Record:
    """Write down all that a report may ask for."""
    figures = {name: getattr(ledger, name) for name in _FIGURES}
    return {**figures, "notes": [(note.line, note.pointer, note.cause) for note in ledger.notes]}


def ledger_of(record: Record) -> RestoreLedger:
    """Read what was written down; ValueError, TypeError, LookupError or AttributeError for anything else."""
    notes = [Note(int(line), str(pointer), str(cause)) for line, pointer, cause in record["notes"]]
    return RestoreLedger(**{name: int(record[name]) for name in _FIGURES}, notes=notes)
