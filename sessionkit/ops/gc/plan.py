"""Plan a collection: list the assets, read all that may name them; then, if it is wanted, take away what nothing names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.files import remove_leftovers
from sessionkit.core.stores.base import LockKind
from sessionkit.core.stores.trash import Run
from sessionkit.dataclass import dataclass
from sessionkit.errors import Place, RefusedError, UnreachableError, UnwritableError
from sessionkit.ops.gc.ground import Ground, look_around
from sessionkit.ops.gc.mark import Marker
from sessionkit.ops.gc.result import Census, Collected, StoreFailed, Tidied
from sessionkit.ops.gc.stores import REFUSALS, choose_stores, open_store
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from sessionkit.core.stores.addresses import Address
    from sessionkit.core.stores.base import AssetStore, StoredFile
    from sessionkit.core.stores.trash import Trash
    from sessionkit.ops.gc.ground import Sights
    from sessionkit.ops.gc.options import Options


@dataclass(frozen=True, slots=True)
class Survey:
    """Where a collection will look; nothing is read yet."""

    ground: Ground
    sights: Sights
    options: Options

    def size(self) -> int:
        """Bytes that will be read."""
        return sum(root.size for root in self.ground.roots())

    def plan(self, tick: Callable[[int], None]) -> Plan:
        """List the stores, then read all roots; none if a store cannot be asked.

        Raises UnreadableError, ChangedError, and RefusedError if there is no root.
        """
        stores = choose_stores(self.sights.stores, self.options)
        found = [_list(address, self.options) for address in stores]
        listings = [listing for listing in found if isinstance(listing, _Listing)]
        digests = {file.name.digest for listing in listings for file in listing.files}
        marker = Marker(self.ground.roots, digests, tick)
        if failed := tuple(listing for listing in found if isinstance(listing, StoreFailed)):
            return Plan((), (), self.sights, marker, self.options, failed)
        marker.mark()
        if not marker.count:
            raise self._refusal()
        limit = int((self.options.clock() - self.options.grace).timestamp() * 1e9)
        censuses = tuple(listing.census(marker.named, limit) for listing in listings)
        return Plan(stores, censuses, self.sights, marker, self.options)

    def _refusal(self) -> RefusedError:
        why = "without any session, archive or backup every asset would look like an orphan"
        hint = "name the folder of the sessions, or them with --root"
        return RefusedError("nothing here could name an asset", place=Place(str(self.ground.folders[0])), why=why, hint=hint)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a collection would do; `censuses` are those of the stores, `sights` tell also what it leaves alone.

    Where stores cannot be asked, those have `failed`, and nothing else is done.
    """

    stores: tuple[Address, ...]
    censuses: tuple[Census, ...]
    sights: Sights
    marker: Marker
    options: Options
    failed: tuple[StoreFailed, ...] = ()

    def run(self) -> Iterator[Collected | StoreFailed | Tidied]:
        """Collect each store, one after the other; or, as a rehearsal, only tell of each.

        Once a store is locked, roots that were changed since the plan was made are read again. Raises UnreadableError and
        ChangedError then: what was not begun stays.
        """
        yield from self.failed
        if self.failed:
            return
        if self.options.writing.effect is Effect.REHEARSE:
            yield from (Collected(census, None, 0) for census in self.censuses)
            return
        run = Run.at(self.options.clock())
        for address, census in zip(self.stores, self.censuses, strict=True):
            yield self._collect(address, census, run)
        for folder in self.sights.littered:
            if folder not in self.stores:
                yield _tidy(folder)

    def _collect(self, address: Address, census: Census, run: Run) -> Collected | StoreFailed:
        try:
            with open_store(address, self.options) as store:
                leftovers = store.clean_up()
                return Collected(census, self._sweep(store, census, run) if census.orphans else None, leftovers)
        except REFUSALS as error:
            return StoreFailed(census.store, error)

    def _sweep(self, store: AssetStore, census: Census, run: Run) -> Trash | None:
        with store.lock(LockKind.EXCLUSIVE, self.options.writing.lock_timeout):
            self.marker.mark()
            doomed = [file for file in census.orphans if file.name.digest not in self.marker.named]
            trash = store.discard(doomed, run) if doomed else None
        return trash if trash and trash.files else None


@dataclass(frozen=True, slots=True)
class _Listing:
    """The content of a store."""

    store: str
    files: tuple[StoredFile, ...]
    strangers: tuple[str, ...]

    def census(self, named: set[str], limit: int) -> Census:
        """Divide the assets; `limit` is the time, in nanoseconds since 1970, since when an asset is young."""
        free = sorted((file for file in self.files if file.name.digest not in named), key=lambda file: file.name.file_name)
        return Census(
            self.store,
            len(self.files),
            sum(file.stat.size for file in self.files),
            len(self.files) - len(free),
            tuple(file for file in free if file.stat.mtime_ns > limit),
            tuple(file for file in free if file.stat.mtime_ns <= limit),
            self.strangers,
        )


def survey(folders: Sequence[Path], options: Options) -> Survey:
    """Walk through the folders. Raises UnreadableError for what is not there or cannot be listed, UsageError for what is no folder."""
    ground = Ground(tuple(folders), options.roots)
    ground.require()
    return Survey(ground, look_around(ground), options)


def _list(address: Address, options: Options) -> _Listing | StoreFailed:
    with open_store(address, options) as store:
        try:
            found = store.inventory()
        except UnreachableError as error:
            return StoreFailed(store.address, error)
        return _Listing(store.address, found.files, tuple(sorted(found.strangers)))


def _tidy(folder: Path) -> Tidied | StoreFailed:
    try:
        return Tidied(str(folder), len(remove_leftovers(folder)))
    except UnwritableError as error:
        return StoreFailed(str(folder), error)
