"""Look for assets that nobody names, in the stores of folders whose sessions were all read."""

from __future__ import annotations

import os
from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING

from sessionkit.core.assets import FOLDER
from sessionkit.core.digests import digests_in
from sessionkit.core.files import unreadable
from sessionkit.core.stores.addresses import whole
from sessionkit.core.stores.local import LocalStore
from sessionkit.dataclass import dataclass, replace
from sessionkit.errors import Place, SessionkitError, UnreadableError
from sessionkit.ops.findings import Finding, FindingKind, Findings
from sessionkit.ops.roots import may_name_assets, open_root, root_of
from sessionkit.ops.verify.options import StoreVerified

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from sessionkit.core.stores.addresses import Address
    from sessionkit.core.stores.base import Inventory, StoredFile
    from sessionkit.ops.sources import Source
    from sessionkit.ops.verify.gathered import Gathered
    from sessionkit.ops.verify.portions import Stocks


@dataclass(frozen=True, slots=True)
class Sweep:
    """A folder of sessions; the digests that their references name; the sessions among them that could not be read.

    `stock` is what the store beside them holds, if it was listed before.
    """

    folder: Path
    used: frozenset[str]
    unread: tuple[Path, ...]
    stock: Inventory | None = None


def take_stock(sources: Iterable[Source]) -> dict[Address, Inventory]:
    """List the stores that will be swept; what cannot be listed is left to the sweep, which tells why."""
    stocks: dict[Address, Inventory] = {}
    for folder in {source.path.parent: None for source in sources if source.folder and not source.is_stdin}:
        if os.path.lexists(folder / FOLDER):
            with suppress(SessionkitError), LocalStore(folder / FOLDER) as store:
                stocks[whole(store.folder)] = store.inventory()
    return stocks


def sweeps(outcomes: Iterable[tuple[Source, Gathered | SessionkitError]], stocks: Stocks) -> list[Sweep]:
    """Plan one for each store beside sessions that were found by searching a folder."""
    by_folder: defaultdict[Path, list[tuple[Source, Gathered | SessionkitError]]] = defaultdict(list)
    for source, outcome in outcomes:
        if not source.is_stdin:
            by_folder[source.path.parent].append((source, outcome))
    return [
        replace(_plan(folder, here), stock=stocks.get(whole(folder / FOLDER)))
        for folder, here in by_folder.items()
        if any(source.folder for source, _ in here) and os.path.lexists(folder / FOLDER)
    ]


def _plan(folder: Path, here: list[tuple[Source, Gathered | SessionkitError]]) -> Sweep:
    used: set[str] = set()
    unread = []
    for source, outcome in here:
        if isinstance(outcome, SessionkitError):
            unread.append(source.path)
        else:
            used.update(claim.asset.digest for claim in outcome.claims)
    return Sweep(folder, frozenset(used), tuple(unread))


def sweep(task: Sweep, tick: Callable[[int], None]) -> StoreVerified:
    """List a store, and search all files beside it for the digests that no reference names."""
    findings, notes = Findings(), Findings()
    store = LocalStore(task.folder / FOLDER)
    files: Sequence[StoredFile] = ()
    orphans: Sequence[StoredFile] = ()
    try:
        with store:
            stock = task.stock or store.inventory()
        files = stock.files
        for name in sorted(stock.strangers):
            notes.add(_stranger(store, name))
        if task.unread:
            notes.add(_unknown(task.unread[0], f"{len(task.unread)} of the sessions beside the store could not be read"))
        else:
            orphans = _orphans(task, files, tick)
    except UnreadableError as error:
        notes.add(_unknown(error.place.path if error.place else store.folder, error.why or error.what))
    for file in orphans:
        findings.add(_orphan(store, file))
    return StoreVerified(store.folder, findings, notes, len(files), sum(file.stat.size for file in orphans))


def given_up(task: Sweep, error: SessionkitError) -> StoreVerified:
    """Say why nothing is known of a store."""
    notes = Findings()
    notes.add(_unknown(task.folder, error.what))
    return StoreVerified(task.folder / FOLDER, Findings(), notes, 0, 0)


def _orphans(task: Sweep, files: Sequence[StoredFile], tick: Callable[[int], None]) -> list[StoredFile]:
    left = {file.name.digest for file in files} - task.used
    for path in _roots(task.folder):
        if not left:
            break
        with open_root(root_of(str(path))) as stream:
            left -= digests_in(stream, left, tick)
    return sorted((file for file in files if file.name.digest in left), key=lambda file: file.name.file_name)


def _roots(folder: Path) -> Iterator[Path]:
    """Sessions, archives, backups and journals: what a collection would look at in this folder."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if may_name_assets(entry.name) and not entry.is_dir())
    except OSError as error:
        raise unreadable(folder, error) from error
    return (folder / name for name in names)


def _orphan(store: LocalStore, file: StoredFile) -> Finding:
    place = Place(str(store.folder / file.name.file_name))
    cause = "no session, archive or backup beside the store names it"
    return Finding(
        FindingKind.ASSET_ORPHAN, place, cause, "`sessionkit gc` takes it away; name what else may need it with --root", file.name.reference
    )


def _stranger(store: LocalStore, name: str) -> Finding:
    place = Place(str(store.folder / name))
    cause = "its name is not that of an asset, or it is no regular file"
    return Finding(FindingKind.STRANGER, place, cause, "move it elsewhere if it is yours")


def _unknown(path: Path | str, cause: str) -> Finding:
    hint = "make it readable and verify again; until then no asset of the store is called an orphan"
    return Finding(FindingKind.ORPHANS_UNKNOWN, Place(str(path)), cause, hint)
