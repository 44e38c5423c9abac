"""An asset store in a bucket, safe for several processes and machines at once."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING

from sessionkit.core.assets import FOLDER
from sessionkit.core.stores.base import TRASH, AssetCheck, AssetStat, AssetStore, Inventory, LockKind, Stored, StoredFile
from sessionkit.core.stores.local_reader import missing
from sessionkit.core.stores.locks.locking import Locking
from sessionkit.core.stores.locks.names import LOCK
from sessionkit.core.stores.s3.client import BucketError, Client, ConflictError, MissingObjectError, Patience, RivalsError
from sessionkit.core.stores.s3.lock import LockObject, S3Lock
from sessionkit.core.stores.s3.names import asset_of, asset_stat, known
from sessionkit.core.stores.s3.reader import S3Reader, failed_read
from sessionkit.core.stores.s3.trash import S3Trash
from sessionkit.errors import LockedError, Place, UnreachableError, UnwritableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from typing_extensions import Buffer

    from sessionkit.core.assets import AssetName
    from sessionkit.core.stores.addresses import Bucket
    from sessionkit.core.stores.trash import Run, Trash

_PATIENCE = Patience()


class S3Store(AssetStore):
    """The assets of a place in a bucket.

    What was put is durable at once; what is given up again stays there, named by nothing, until it is collected. Nothing is asked of the
    server before the first asset is; UnreachableError then, if buckets cannot be used here.
    """

    def __init__(self, bucket: Bucket, locking: Locking | None = None, patience: Patience = _PATIENCE) -> None:
        self._bucket = bucket
        self._locking = locking or Locking()
        self._patience = patience
        self._lock: S3Lock | None = None
        self._held: S3Lock | None = None
        self._known: set[AssetName] = set()

    @property
    def address(self) -> str:
        """The place as `s3://BUCKET/PREFIX`."""
        return str(self._bucket)

    @contextmanager
    def lock(self, kind: LockKind, timeout: float) -> Iterator[None]:
        """Lock the place."""
        self._held = self._take_lock(kind, timeout)
        try:
            yield
        finally:
            held, self._held = self._held, None
            held.release()

    def put(self, name: AssetName, data: Buffer) -> Stored:
        """Write the object if it is not there. What is there is compared, and written again, which makes it whole and young."""
        if name in self._known:
            return Stored.KNOWN
        self._share()
        with self._giving_up_on_error(name.file_name):
            found = self._put(self._key(name), data)
        self._known.add(name)
        return found

    def holds(self, name: AssetName, data: Buffer) -> bool:
        """Compare the hash of the data."""
        return name in self._known and hashlib.sha256(data).hexdigest() == name.digest

    def flush(self) -> None:
        """Make sure that the lock was held all the time, so that nobody can have taken anything away."""
        if self._known:
            try:
                self._require_lock()
            except LockedError:
                self.close()
                raise

    def close(self) -> None:
        """Let go of the lock."""
        self._known.clear()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def open(self, name: AssetName) -> S3Reader:
        """Begin to read the object."""
        with self._looking_for(name):
            return S3Reader(name, self._client, self._key(name), self._place(name))

    def check(self, name: AssetName) -> AssetCheck:
        """Read the object, a piece at a time if it is large."""
        with self.open(name) as reader:
            return reader.check()

    def stat(self, name: AssetName) -> AssetStat:
        """Ask for the object's size and time."""
        with self._looking_for(name):
            return asset_stat(self._client.stat(self._key(name)))

    def inventory(self) -> Inventory:
        """Take every object with an asset's name for an asset; the lock and the trash are no strangers."""
        with self._reading():
            objects, folders = self._client.inside(self._bucket.folder)
        names = [name for name, _ in objects if name != LOCK and asset_of(name) is None]
        strangers = tuple(f"{FOLDER}/{name}" for name in (*names, *folders) if name != TRASH)
        return Inventory(tuple(known(objects)), strangers)

    def remove(self, name: AssetName) -> None:
        """Delete the object."""
        self._known.discard(name)
        with self._writing(name.file_name):
            try:
                self._client.stat(self._key(name))
            except MissingObjectError as error:
                raise missing(self._place(name)) from error
            self._client.delete([self._key(name)])

    def discard(self, files: Sequence[StoredFile], run: Run) -> Trash:
        """Copy the objects to keys below `.trash/`, and delete them."""
        self._known.difference_update(file.name for file in files)
        with self._writing(TRASH):
            return self._trash.discard(files, run, self._require_lock)

    def put_back(self, trash: Trash) -> list[StoredFile]:
        """Copy them back. What is there again is read, and replaced if it is not whole."""
        with self._writing(TRASH):
            return self._trash.put_back(trash, self.is_whole)

    def purge(self, trash: Trash) -> None:
        """Delete the objects."""
        with self._writing(TRASH):
            self._trash.purge(trash)

    def trashes(self) -> list[Trash]:
        """List the folders below `.trash/` that hold assets."""
        with self._reading():
            return self._trash.all()

    def clean_up(self) -> int:
        """Remove trashes without assets unless somebody is at work. An object is never half-written."""
        with suppress(LockedError), self.lock(LockKind.EXCLUSIVE, 0), self._writing(TRASH):
            self._trash.tidy()
        return 0

    @cached_property
    def _client(self) -> Client:
        return Client(self._bucket, self._patience)

    @property
    def _trash(self) -> S3Trash:
        return S3Trash(self._client, self._bucket.folder)

    def _key(self, name: AssetName) -> str:
        return f"{self._bucket.folder}/{name.file_name}"

    def _place(self, name: AssetName) -> str:
        return self._bucket.place(name.file_name)

    def _put(self, key: str, data: Buffer) -> Stored:
        try:
            size, tag = (stat := self._client.stat(key)).size, stat.tag
        except MissingObjectError:
            with suppress(ConflictError):  # another was faster
                self._client.create(key, data)
                return Stored.NEW
            size, tag = memoryview(data).nbytes, ""
        is_equal = size == memoryview(data).nbytes and (tag == _plain_tag(data) or self._holds(key, data))
        self._client.put(key, data)
        return Stored.REUSED if is_equal else Stored.REPAIRED

    def _holds(self, key: str, data: Buffer) -> bool:
        with suppress(MissingObjectError):
            return bytes(self._client.get(key).whole()) == bytes(data)
        return False

    def _share(self) -> None:
        timeout = self._locking.timeout
        if self._lock is None and self._held is None and timeout is not None:
            self._lock = self._take_lock(LockKind.SHARED, timeout)

    def _take_lock(self, kind: LockKind, timeout: float) -> S3Lock:
        with self._writing(LOCK):
            key = f"{self._bucket.folder}/{LOCK}"
            return S3Lock(LockObject(self._client, key, self._bucket.place(LOCK), self._locking.clock)).acquire(kind, timeout)

    def _require_lock(self) -> None:
        lock = self._held or self._lock
        if lock is not None:
            lock.require()

    @contextmanager
    def _giving_up_on_error(self, file_name: str) -> Iterator[None]:
        try:
            with self._writing(file_name):
                yield
        except BaseException:
            self.close()
            raise

    @contextmanager
    def _looking_for(self, name: AssetName) -> Iterator[None]:
        try:
            yield
        except MissingObjectError as error:
            with self._reading():
                self._client.require_bucket()
            raise missing(self._place(name)) from error
        except BucketError as error:
            raise failed_read(self._place(name), error) from error

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except BucketError as error:
            raise failed_read(self._bucket.place(), error) from error

    @contextmanager
    def _writing(self, file_name: str) -> Iterator[None]:
        try:
            yield
        except BucketError as error:
            place, failure = Place(self._bucket.place(file_name)), error.failure
            kind = UnwritableError if isinstance(error, RivalsError) else UnreachableError
            raise kind("cannot be written", place=place, why=failure.why, hint=failure.hint) from error


def _plain_tag(data: Buffer) -> str:
    """Tag that a server gives an object that it neither encrypts by keys of its own nor took in parts; of others nothing is known."""
    return f'"{hashlib.md5(data, usedforsecurity=False).hexdigest()}"'
