"""Make one image fit."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.core.assets import AssetName
from sessionkit.core.base64 import encoded_size
from sessionkit.core.ladder import Fitted, Overlarge, Unfit, keep, redraw
from sessionkit.core.pixels import pixel_size
from sessionkit.core.stores.locks.locking import Locking
from sessionkit.core.stores.opening import open_store
from sessionkit.core.wholeness import is_animated
from sessionkit.dataclass import dataclass, replace
from sessionkit.ops.prepare.judging import broken, require_decodable, require_image
from sessionkit.ops.prepare.options import Motion, Options, Resizing
from sessionkit.ops.prepare.reading import Named, read_whole
from sessionkit.ops.prepare.result import BLIND, Prepared, text_of, text_without
from sessionkit.ops.prepare.shapes import Reference
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from sessionkit.core.ladder import Bounds
    from sessionkit.core.sniff import MediaType
    from sessionkit.core.stores.addresses import Address
    from sessionkit.ops.prepare.reading import Picture
    from sessionkit.ops.writing import Writing

_FITTING = Options()


def prepare(image: Path | str | bytes, options: Options = _FITTING) -> Prepared:
    """Make an image fit, given its path or its bytes.

    Raises NotAnImageError for what is none, or a broken one; UnreadableError; and for a store UnwritableError and LockedError.
    """
    if isinstance(image, Path | str):
        return prepare_named(Named(Path(image)), options)
    return _prepare(bytes(image), "the image", options)


def prepare_named(named: Named, options: Options) -> Prepared:
    """Make an image fit that a command line names. Raises what `prepare` raises."""
    with named.open() as picture:
        return _prepare(picture, named.name, options)


def _prepare(picture: Picture, name: str, options: Options) -> Prepared:
    look = _look(picture, name, options)
    match look.image or _redrawn(picture, look, options):
        case Fitted() as image:
            text = text_of(image, () if options.sees() else (BLIND,))
            return _shown(image, Prepared(name, text, (), look.type, image), options)
        case Overlarge() as overlarge:
            advice = "" if options.resizing is Resizing.ALLOW else "Shrink the image, or allow resizing."
            text = text_without(look.type, overlarge, advice)
            return Prepared(name, text, (options.shape.text(text),), look.type, overlarge)
        case Unfit(reason):
            raise broken(name, look.type, reason)


@dataclass(frozen=True, slots=True)
class _Look:
    """What an image is, within which bounds it must be, how large it is; and the image itself if it is within them."""

    type: MediaType
    bounds: Bounds
    bytes: int
    image: Fitted | None


def _look(picture: Picture, name: str, options: Options) -> _Look:
    """Read it whole once; unless it is within bounds, its bytes are let go of."""
    data = read_whole(picture, name)
    media = require_image(data, name)
    bounds = options.bounds_for(Motion.ANIMATED if is_animated(data, media) else Motion.STILL)
    is_kept = bounds.hold(data)
    if is_kept or (options.resizing is Resizing.REFUSE and media in bounds.types):
        require_decodable(data, media, name)
    return _Look(media, bounds, len(data), keep(data) if is_kept else None)


def _redrawn(picture: Picture, look: _Look, options: Options) -> Fitted | Unfit:
    if options.resizing is Resizing.ALLOW:
        return redraw(picture, look.type, look.bounds)
    if look.type in look.bounds.types:
        return _overlarge(look.bytes, look.bounds)
    match redraw(picture, look.type, replace(look.bounds, base64=sys.maxsize)):
        case Fitted(data) if not look.bounds.hold_bytes(data):
            return _overlarge(len(data), look.bounds)
        case outcome:
            return outcome


def _overlarge(size: int, bounds: Bounds) -> Overlarge:
    return Overlarge(f"its base64 has {encoded_size(size):,} characters, and fewer than {bounds.base64:,} are allowed")


def _shown(image: Fitted, prepared: Prepared, options: Options) -> Prepared:
    """Add the blocks, once the bytes are where a reference leads."""
    text = options.shape.text(prepared.text)
    size = pixel_size(image.data, image.type)
    if options.store is None or size is None:
        return replace(prepared, blocks=(text, options.shape.image(image)))
    asset = AssetName.of(image.data, image.type)
    if options.writing.effect is Effect.APPLY:
        _put(asset, image.data, options.store, options.writing)
    return replace(prepared, blocks=(text, options.shape.reference(image, Reference(asset, size))), asset=asset)


def _put(asset: AssetName, data: bytes, address: Address, writing: Writing) -> None:
    with open_store(address, durability=writing.durability, locking=Locking(writing.lock_timeout)) as store:
        store.put(asset, data)
        store.flush()
