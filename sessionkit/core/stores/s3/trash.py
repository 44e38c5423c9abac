"""Move assets of a bucket to its trash and back. A bucket cannot rename: each is copied, and when all are, the first ones are deleted."""

from __future__ import annotations

from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from sessionkit.core.stores.base import TRASH
from sessionkit.core.stores.s3.client import BucketError, ConflictError, MissingObjectError
from sessionkit.core.stores.s3.names import asset_of, known
from sessionkit.core.stores.trash import MANIFEST, MANIFEST_HEAD, Trash, is_stamp, manifest_of, run_of, stamps_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sessionkit.core.assets import AssetName
    from sessionkit.core.stores.base import StoredFile
    from sessionkit.core.stores.s3.client import Client
    from sessionkit.core.stores.trash import Run

_AT_ONCE: Final = 16
"""Requests that wait for the server at the same time."""


class S3Trash:
    """The trash of a store whose keys begin with a folder; BucketError as it comes."""

    def __init__(self, client: Client, folder: str) -> None:
        self._client = client
        self._folder = folder

    def all(self) -> list[Trash]:
        """List the trashes that hold assets, the newest first."""
        found = {stamp: files for stamp, files in self._found().items() if files}
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            runs = list(threads.map(self._run, found))
        return [Trash(stamp, files, run) for (stamp, files), run in zip(found.items(), runs, strict=True)]

    def discard(self, files: Sequence[StoredFile], run: Run, require: Callable[[], None]) -> Trash:
        """Move assets to a new trash, which lists them before the first one moves. `require` is asked before the first one is deleted."""
        there = {file.name: file.stat for file in known(self._client.inside(self._folder)[0])}
        moving = tuple(file for file in files if there.get(file.name) == file.stat)
        if not moving:
            return Trash(next(stamps_from(run.time)), (), run.name)
        trash = self._make(moving, run)
        try:
            self._each(lambda name: self._client.copy(self._key(name), self._key(name, trash.stamp)), moving)
            require()
            self._client.delete([self._key(file.name) for file in moving])
        except BaseException:
            with suppress(BucketError):  # then the manifest names them, and an undoing finds them
                self._take_back(trash)
            raise
        return trash

    def put_back(self, trash: Trash, is_there: Callable[[AssetName], bool]) -> list[StoredFile]:
        """Copy back what is not there, as good as new; then the trash is deleted."""
        there = {file.name for file in known(self._client.inside(self._folder)[0])}
        back = [file for file in trash.files if file.name not in there or not is_there(file.name)]
        self._each(lambda name: self._client.copy(self._key(name, trash.stamp), self._key(name)), back)
        self.purge(trash)
        return back

    def purge(self, trash: Trash) -> None:
        """Delete a trash for good, its manifest last."""
        self._client.delete([self._key(file.name, trash.stamp) for file in trash.files])
        self._client.delete([self._manifest(trash.stamp)])

    def tidy(self) -> None:
        """Remove trashes without assets: a run was killed before or after it moved them."""
        self._client.delete([self._manifest(stamp) for stamp, files in self._found().items() if not files])

    def _found(self) -> dict[str, tuple[StoredFile, ...]]:
        found: defaultdict[str, list[StoredFile]] = defaultdict(list)
        folder = f"{self._folder}/{TRASH}"
        for path, stat in self._client.all_below(folder):
            stamp, _, name = path.partition("/")
            if is_stamp(stamp):
                found[stamp] += known([(name, stat)])
        return {stamp: tuple(sorted(found[stamp], key=lambda file: file.name.file_name)) for stamp in sorted(found, reverse=True)}

    def _run(self, stamp: str) -> str:
        try:
            return run_of(stamp, self._client.get(self._manifest(stamp)).beginning(MANIFEST_HEAD))
        except MissingObjectError:  # somebody has removed it
            return stamp

    def _make(self, moving: tuple[StoredFile, ...], run: Run) -> Trash:
        for stamp in stamps_from(run.time):
            trash = Trash(stamp, moving, run.name)
            with suppress(ConflictError):
                self._client.create(self._manifest(stamp), manifest_of(trash))
                return trash
        raise AssertionError

    def _take_back(self, trash: Trash) -> None:
        """Copy back what was deleted already, and only then delete the copies."""
        there = {asset_of(name) for name, _ in self._client.inside(self._folder)[0]}
        copied = {asset_of(name) for name, _ in self._client.inside(f"{self._folder}/{TRASH}/{trash.stamp}")[0]}
        gone = [file for file in trash.files if file.name in copied and file.name not in there]
        self._each(lambda name: self._client.copy(self._key(name, trash.stamp), self._key(name)), gone)
        self.purge(trash)

    def _each(self, work: Callable[[AssetName], None], files: Iterable[StoredFile]) -> None:
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            for _ in threads.map(work, [file.name for file in files]):
                pass

    def _key(self, name: AssetName, stamp: str = "") -> str:
        return f"{self._folder}/{TRASH}/{stamp}/{name.file_name}" if stamp else f"{self._folder}/{name.file_name}"

    def _manifest(self, stamp: str) -> str:
        return f"{self._folder}/{TRASH}/{stamp}/{MANIFEST}"
