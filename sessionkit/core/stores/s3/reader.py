"""Read an asset of a bucket, whose hash is checked before its first byte is used."""

from __future__ import annotations

import hashlib
import tempfile
from typing import TYPE_CHECKING, Final

from sessionkit.core.files import unreadable
from sessionkit.core.stores.base import HEAD_SIZE, AssetCheck, AssetReader
from sessionkit.core.stores.local_reader import CHUNK, SMALL, corrupt
from sessionkit.core.stores.s3.client import BucketError, ConflictError, MissingObjectError
from sessionkit.errors import Place, UnreachableError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

    from typing_extensions import Buffer

    from sessionkit.core.assets import AssetName
    from sessionkit.core.stores.s3.client import Client, Download

_PIECE: Final = 8 << 20
"""Bytes of a large asset that are asked for at a time, so that a slow line does not outlast the patience with one request."""


class S3Reader(AssetReader):
    """An asset whose reading has begun. A large one goes to a temporary file first: the network is asked only once."""

    def __init__(self, name: AssetName, client: Client, key: str, place: str) -> None:
        """Raises MissingObjectError and BucketError, as the client does."""
        self._client = client
        self._key = key
        self._place = place
        self._download: Download = client.get(key)
        super().__init__(name, self._download.stat.size)

    def chunks(self) -> Iterator[Buffer]:
        """Hand out verified content."""
        if self.size <= SMALL:
            data = b"".join(self._pieces())
            self._require(hashlib.sha256(data).hexdigest())
            yield data
            return
        try:
            with tempfile.TemporaryFile() as spool:
                self._fill(spool)
                while chunk := spool.read(CHUNK):
                    yield chunk
        except OSError as error:
            raise unreadable(tempfile.gettempdir(), error) from error

    def check(self) -> AssetCheck:
        """Compare the hash in bounded memory."""
        digest, head = hashlib.sha256(), b""
        for piece in self._pieces():
            digest.update(piece)
            head = head or bytes(memoryview(piece)[:HEAD_SIZE])
        self._require(digest.hexdigest())
        return AssetCheck(self.size, head)

    def head(self) -> bytes:
        """Break off after the beginning."""
        try:
            return self._download.beginning(HEAD_SIZE)
        except BucketError as error:
            raise failed_read(self._place, error) from error

    def close(self) -> None:
        """Do nothing: the temporary file has no name, and goes with the chunks."""

    def _fill(self, spool: IO[bytes]) -> None:
        digest = hashlib.sha256()
        for piece in self._pieces():
            digest.update(piece)
            spool.write(piece)
        self._require(digest.hexdigest())
        spool.seek(0)

    def _pieces(self) -> Iterator[Buffer]:
        """Read the object that was opened, and no later one of its key."""
        try:
            if self.size <= _PIECE:
                yield self._download.whole()
                return
            for start in range(0, self.size, _PIECE):
                yield self._client.read(self._key, self._download.stat.tag, start, min(start + _PIECE, self.size))
        except BucketError as error:
            raise failed_read(self._place, error) from error
        except (MissingObjectError, ConflictError) as error:
            raise corrupt(self._place, f"{self.name.file_name} changed while it was read", "it was replaced or removed") from error

    def _require(self, digest: str) -> None:
        if digest != self.name.digest:
            why = f"the SHA-256 of its bytes is {digest}"
            raise corrupt(self._place, f"{self.name.file_name} does not hold what its name says", why)


def failed_read(place: str, error: BucketError) -> UnreachableError:
    """Say why something of a bucket cannot be read."""
    return UnreachableError("cannot be read", place=Place(place), why=error.failure.why, hint=error.failure.hint)
