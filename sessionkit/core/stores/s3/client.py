"""The objects of one bucket: the only door to obstore.

Its threads do not survive a fork, and whoever asked then would wait for ever; so a process that was forked after its parent had used
a bucket is refused.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sessionkit.core.stores.s3.failures import NO_BUCKET, Failure, failure_of
from sessionkit.core.stores.s3.settings import allows_http, require_understood, settings, without_empty
from sessionkit.dataclass import dataclass
from sessionkit.errors import UnreachableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from obstore import GetResult, ObjectMeta, PutMode
    from obstore.store import S3Store
    from typing_extensions import Buffer

    from sessionkit.core.stores.addresses import Bucket
    from sessionkit.core.stores.s3.settings import Settings

Result = TypeVar("Result")

_PANICS: Final = "pyo3_runtime"
"""Module of what the library raises where it gave up in the midst: no Exception, and of no class that could be named."""
_CHECK: Final = "check all variables AWS_*"


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that one request may take, and how often it is tried again when the server is busy or cannot be reached."""

    timeout: float = 300.0
    retries: int = 5


@dataclass(frozen=True, slots=True)
class ObjectStat:
    """Size in bytes; when it was written, to the second; and a tag that changes with its content."""

    size: int
    written: datetime
    tag: str


class MissingObjectError(Exception):
    """There is no object of this key, or no bucket: a server does not always say which."""


class ConflictError(Exception):
    """The object is there already, or is another one by now."""


class BucketError(Exception):
    """The server, or the way there, failed. Who asked knows whether it was to be read or written."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


class RivalsError(BucketError):
    """Others change the same object at this moment; the server is well."""


class Client:
    """The objects of a bucket by their keys. Every method but `__init__` raises BucketError."""

    def __init__(self, bucket: Bucket, patience: Patience) -> None:
        """Raises UnreachableError without obstore, for settings that cannot be meant, and in a process that was forked from a user."""
        self._obstore = _import()
        self._bucket = bucket
        self._store = _connect(bucket.name, patience, settings())
        self._is_there = False

    def stat(self, key: str) -> ObjectStat:
        """Look at an object; MissingObjectError."""
        return _asked(lambda: _stat(self._obstore.head(self._store, key)))

    def get(self, key: str) -> Download:
        """Begin to read an object; MissingObjectError."""
        return _asked(lambda: Download(self._obstore.get(self._store, key)))

    def read(self, key: str, tag: str, start: int, stop: int) -> Buffer:
        """Read a piece of the object that had this tag; MissingObjectError, ConflictError."""
        options = {"range": (start, stop), "if_match": tag}
        piece: Buffer = _asked(lambda: self._obstore.get(self._store, key, options=options).bytes())
        return piece

    def create(self, key: str, data: Buffer) -> None:
        """Write an object that must not be there; ConflictError."""
        self._put(key, data, "create")

    def replace(self, key: str, tag: str, data: Buffer) -> None:
        """Write an object over the one that has this tag; ConflictError if it has another one, or is gone."""
        self._put(key, data, {"e_tag": tag})

    def put(self, key: str, data: Buffer) -> None:
        """Write an object, whatever is there."""
        try:
            self._put(key, data, "overwrite")
        except ConflictError as error:
            raise RivalsError(Failure("others write the same object at this moment", "run again")) from error

    def copy(self, key: str, to: str) -> None:
        """Copy an object, over whatever is there; MissingObjectError."""
        _asked(lambda: self._obstore.copy(self._store, key, to))

    def delete(self, keys: Sequence[str]) -> None:
        """Delete objects for good; what is not there is no error."""
        if keys:
            _asked(lambda: self._obstore.delete(self._store, keys))

    def all_below(self, folder: str) -> list[tuple[str, ObjectStat]]:
        """List all objects whose key begins with a folder, which is left out of what is told."""
        return _told(folder, _asked(lambda: self._obstore.list(self._store, folder).collect()))

    def inside(self, folder: str) -> tuple[list[tuple[str, ObjectStat]], list[str]]:
        """List the objects of a folder, and the names of folders in it."""
        found = _asked(lambda: self._obstore.list_with_delimiter(self._store, folder))
        return _told(folder, found["objects"]), [prefix.removeprefix(f"{folder}/").rstrip("/") for prefix in found["common_prefixes"]]

    def require_bucket(self) -> None:
        """Find out, once, whether the bucket is there when an object is not."""
        if not self._is_there:
            self.inside(f"{self._bucket.folder}/.nothing")
            self._is_there = True

    def _put(self, key: str, data: Buffer, mode: PutMode) -> None:
        try:
            _asked(lambda: self._obstore.put(self._store, key, data, mode=mode, use_multipart=False))
        except MissingObjectError as error:
            raise BucketError(Failure(f"there is no bucket {self._bucket.name}", NO_BUCKET)) from error


class Download:
    """An object that is being read; BucketError."""

    def __init__(self, result: GetResult) -> None:
        self._result = result
        self.stat = _stat(result.meta)

    def whole(self) -> Buffer:
        """Read all of it."""
        return _asked(self._result.bytes)

    def beginning(self, size: int) -> bytes:
        """Read so many bytes, or all if there are fewer."""
        return _asked(lambda: self._begin(size))

    def _begin(self, size: int) -> bytes:
        begun = bytearray()
        for piece in self._result.stream(min_chunk_size=size):
            begun += piece
            if len(begun) >= size:
                break
        return bytes(begun[:size])


def _asked(ask: Callable[[], Result]) -> Result:
    """Ask the server, beside the main thread: while the library waits for an answer, no signal could interrupt it."""
    if threading.current_thread() is not threading.main_thread():
        with _translated():
            return ask()
    answer: Future[Result] = Future()
    threading.Thread(target=_answered, args=(answer, ask), daemon=True).start()
    return answer.result()


def _answered(answer: Future[Result], ask: Callable[[], Result]) -> None:
    try:
        answer.set_result(_asked(ask))
    except BaseException as error:  # noqa: BLE001  it is raised where the answer is waited for
        answer.set_exception(error)


@cache
def _first_user() -> int:
    """Process that used a bucket first: this one, or one that it was forked from."""
    return os.getpid()


def _import() -> Any:  # noqa: ANN401  a module
    try:
        import obstore  # noqa: PLC0415  an extra, which few have
    except ImportError as error:
        why = "the library obstore is not installed"
        hint = "pip install 'obstore>=0.12', which is the extra s3"
        raise UnreachableError("buckets cannot be used", why=why, hint=hint) from error
    if _first_user() != os.getpid():
        why = f"process {_first_user()}, from which it was forked, had used a bucket"
        hint = "let that one do the work alone (-j 1, jobs=1), or start processes anew (the start methods spawn and forkserver)"
        raise UnreachableError("this process cannot use a bucket", why=why, hint=hint)
    return obstore


@lru_cache(maxsize=8)
def _connect(bucket: str, patience: Patience, settings: Settings) -> S3Store:
    """Make what holds the connections, once for all sessions of a process; it reads credentials, region and endpoint of the environment."""
    from obstore import exceptions, store  # noqa: PLC0415  imported already

    require_understood(settings, store.HTTPStore.from_url)
    timeout = timedelta(seconds=patience.timeout)
    try:
        with without_empty(), _without_panic():
            return store.S3Store(
                bucket,
                client_options={"timeout": timeout, "allow_http": allows_http(settings)},  # given one, it reads none of them itself
                retry_config={"max_retries": patience.retries, "retry_timeout": timeout},
            )
    except (exceptions.BaseError, ValueError) as error:
        raise UnreachableError("the settings for S3 are not understood", why=str(error).partition("\n")[0], hint=_CHECK) from error
    except BucketError as error:
        raise UnreachableError("the settings for S3 are not understood", why=error.failure.why, hint=error.failure.hint) from error


@contextmanager
def _without_panic() -> Iterator[None]:
    """Tell of a panic as of any failure; what it says may hold a secret."""
    try:
        yield
    except BaseException as error:
        if type(error).__module__ != _PANICS:
            raise
        raise BucketError(Failure("the library obstore gave up", f"{_CHECK}; if they are right, report what it says above")) from error


@contextmanager
def _translated() -> Iterator[None]:
    from obstore import exceptions  # noqa: PLC0415  imported already

    try:
        with _without_panic():
            yield
    except FileNotFoundError as error:
        if "NoSuchBucket" in str(error):
            raise BucketError(failure_of(str(error))) from error
        raise MissingObjectError from error
    except (exceptions.AlreadyExistsError, exceptions.PreconditionError) as error:
        raise ConflictError from error
    except (exceptions.BaseError, ValueError, OSError) as error:
        raise BucketError(failure_of(str(error))) from error


def _told(folder: str, found: Sequence[ObjectMeta]) -> list[tuple[str, ObjectStat]]:
    """Leave out the object that stands for the folder itself, which some programs write."""
    start = f"{folder}/"
    return [(meta["path"].removeprefix(start), _stat(meta)) for meta in found if meta["path"].startswith(start)]


def _stat(meta: ObjectMeta) -> ObjectStat:
    return ObjectStat(meta["size"], meta["last_modified"].replace(microsecond=0), meta["e_tag"] or "")
