"""messages: the conversation of a session, and what its media are."""

from __future__ import annotations

from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING

from sessionkit.core.base64 import NotCanonicalError, decode_lenient
from sessionkit.core.model import Inline, Stored, Uri
from sessionkit.core.pixels import pixel_size
from sessionkit.core.slices import Slice
from sessionkit.core.sniff import BIN, sniff
from sessionkit.core.stores.opening import open_store
from sessionkit.dataclass import dataclass, replace
from sessionkit.errors import AssetCorruptError, AssetMissingError, UnreadableError
from sessionkit.ops.conversations import NEWEST, Selection, read_conversation
from sessionkit.ops.sessions import spooled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.assets import AssetName
    from sessionkit.core.model import Conversation, Media
    from sessionkit.core.pixels import Size
    from sessionkit.core.stores.addresses import Address
    from sessionkit.core.stores.base import AssetStore
    from sessionkit.ops.sources import Source


@dataclass(frozen=True, slots=True)
class Options:
    """Which conversation, and where the assets are; `store` is None for `images` beside the session."""

    selection: Selection = NEWEST
    store: Address | None = None


@dataclass(frozen=True, slots=True)
class View:
    """What a medium is: by its bytes where these can be read, else as the session says, which may be nothing.

    `bytes` and `sha256` are those of the decoded medium; None where it cannot be read. `fault` says why, unless others hold it.
    """

    media_type: str | None
    size: Size | None = None
    bytes: int | None = None
    sha256: str | None = None
    fault: str = ""


class Viewer:
    """Looks at media, of which the spilled ones are in a store. It reads one at a time, and keeps none."""

    def __init__(self, store: AssetStore) -> None:
        self._store = store
        self._assets: dict[AssetName, View] = {}

    def view(self, media: Media) -> View:
        """Look at a medium; UnreadableError or ChangedError where the session itself cannot be read any more."""
        match media.source:
            case Inline(data):
                view = _view_base64(data)
            case Slice() as piece:
                view = _view_base64(piece.read())
            case Stored(asset):
                view = self._view_asset(asset)
            case Uri():
                view = View(None)
        told = view.media_type if view.media_type != BIN.mime else None
        return replace(view, media_type=told or media.media_type or view.media_type, size=view.size or media.size)

    def _view_asset(self, asset: AssetName) -> View:
        if asset not in self._assets:
            self._assets[asset] = self._check(asset)
        return self._assets[asset]

    def _check(self, asset: AssetName) -> View:
        try:
            check = self._store.check(asset)
        except AssetMissingError:
            return View(None, fault="asset missing")
        except AssetCorruptError:
            return View(None, fault="asset corrupt")
        except UnreadableError:
            return View(None, fault="asset unreadable")
        media_type = sniff(check.head)
        return View(media_type.mime, pixel_size(check.head, media_type), check.size, asset.digest)


def _view_base64(text: str) -> View:
    try:
        data = decode_lenient(text.encode("utf-8", "surrogatepass"))
    except NotCanonicalError as error:
        return View(None, fault=error.defect)
    media_type = sniff(data)
    return View(media_type.mime, pixel_size(data, media_type), len(data), sha256(data).hexdigest())


@dataclass(frozen=True, slots=True)
class Opened:
    """A conversation whose media can be looked at as long as it is open."""

    conversation: Conversation
    viewer: Viewer


@contextmanager
def open_conversation(source: Source, options: Options) -> Iterator[Opened]:
    """Rebuild the conversation of a session.

    Raises UnreadableError, RefusedError for what is no session of a known format, and UsageError for an unknown leaf.
    """
    with spooled(source) as readable, open_store(source.store(options.store)) as store:
        yield Opened(read_conversation(readable, _ignore, options.selection), Viewer(store))


def _ignore(_size: int) -> None:
    pass
