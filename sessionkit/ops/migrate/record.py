"""What the journal of a batch keeps of a migrated session: the ledger as JSON, and back."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sessionkit.core.assets import FOLDER, AssetName
from sessionkit.core.stores.addresses import Bucket
from sessionkit.core.stores.base import Stored
from sessionkit.core.stores.opening import open_store
from sessionkit.dataclass import fields
from sessionkit.errors import SessionkitError, UnreachableError
from sessionkit.ops.apart import sizes_in
from sessionkit.ops.ledger import Kept, Ledger, Note

if TYPE_CHECKING:
    from sessionkit.core.stores.addresses import Address
    from sessionkit.core.stores.base import AssetStore
    from sessionkit.ops.migrate.options import Done
    from sessionkit.ops.resume.entry import Record
    from sessionkit.ops.resume.journal import Journal
    from sessionkit.ops.resume.marks import Mark
    from sessionkit.ops.targets import Transfer

_FIGURES = tuple(field.name for field in fields(Ledger) if field.name not in {"assets", "causes", "notes"})


def note(done: Done, transfer: Transfer, journal: Journal, before: Mark | None) -> None:
    """Note what is done. Of assets that came from beside the session nothing is known later, so it is rather done again."""
    if not done.ledger.carried:
        journal.add(transfer, before, record_of(done.ledger))


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


def has_assets(address: Address, record: Record, listings: dict[Bucket, dict[AssetName, int]]) -> bool:
    """Look for each asset of a record in the store; a bucket is listed once, and where it cannot be asked it has none."""
    if isinstance(address, Bucket):
        if address not in listings:
            listings[address] = _sizes_in(address)
        return all(listings[address].get(name) == kept.length for name, kept in assets_of(record).items())
    with open_store(address) as store:
        return all(_has(store, name, kept.length) for name, kept in assets_of(record).items())


def _sizes_in(bucket: Bucket) -> dict[AssetName, int]:
    """List a bucket. What cannot be found in it is migrated again, and fails as in a first run if it cannot be asked then either."""
    try:
        return sizes_in(bucket)
    except UnreachableError:
        return {}


def _has(store: AssetStore, name: AssetName, length: int) -> bool:
    try:
        return store.stat(name).size == length
    except SessionkitError:
        return False
