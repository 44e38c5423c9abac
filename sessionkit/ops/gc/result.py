"""What came out of a collection, store by store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from sessionkit.core.stores import StoredFile
    from sessionkit.core.stores.trash import Trash
    from sessionkit.errors import SessionkitError


@dataclass(frozen=True, slots=True)
class Census:
    """The assets of a store, as they were found: all of them with their bytes; those that a root names; and the others.

    Of these `young` are kept by the grace, and `orphans` by nothing. `strangers` are names of what is no asset.
    """

    store: str
    assets: int
    size: int
    named: int
    young: tuple[StoredFile, ...]
    orphans: tuple[StoredFile, ...]
    strangers: tuple[str, ...]

    @property
    def young_size(self) -> int:
        """Bytes of the young ones."""
        return sum(file.stat.size for file in self.young)

    @property
    def orphan_size(self) -> int:
        """Bytes of the orphans."""
        return sum(file.stat.size for file in self.orphans)


@dataclass(frozen=True, slots=True)
class Collected:
    """A store that was collected; `trash` is None if nothing was moved, `leftovers` the number of half-written files that were removed.

    In the trash is what is an orphan still: one that was put or named again since the census stayed.
    """

    census: Census
    trash: Trash | None
    leftovers: int


@dataclass(frozen=True, slots=True)
class Tidied:
    """Another folder from which half-written files were removed."""

    folder: str
    leftovers: int


@dataclass(frozen=True, slots=True)
class PutBack:
    """A trash that was put back; `files` are those that came back, the others are there again already."""

    store: str
    trash: Trash
    files: tuple[StoredFile, ...]


@dataclass(frozen=True, slots=True)
class Purged:
    """Trashes of a store that were deleted for good."""

    store: str
    trashes: tuple[Trash, ...]


@dataclass(frozen=True, slots=True)
class StoreFailed:
    """A store that could not be done to its end, and why; nothing in it is lost."""

    store: str
    error: SessionkitError
