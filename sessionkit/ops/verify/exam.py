"""Examine assets: is it there, is it what its name says, what picture is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.images import DECODABLE, decode_fault
from sessionkit.core.pixels import pixel_size
from sessionkit.core.sniff import HEIC, sniff
from sessionkit.core.stores.opening import open_store
from sessionkit.dataclass import dataclass
from sessionkit.errors import AssetCorruptError, AssetMissingError, UnreadableError
from sessionkit.ops.findings import FindingKind
from sessionkit.ops.verify.options import Decoding, Reading

if TYPE_CHECKING:
    from collections.abc import Callable

    from sessionkit.core.assets import AssetName
    from sessionkit.core.pixels import Size
    from sessionkit.core.sniff import MediaType
    from sessionkit.core.stores.addresses import Address
    from sessionkit.core.stores.base import AssetCheck, AssetStore

_MOST_HELD = 256 << 20
"""Bytes of a picture that is read into memory as a whole; of a larger one only the head is looked at."""

_WITH_PIXELS = DECODABLE | {HEIC}


@dataclass(frozen=True, slots=True)
class Exam:
    """Assets of one store to examine."""

    store: Address
    assets: tuple[AssetName, ...]
    reading: Reading
    decoding: Decoding


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with an asset, or with what a reference says of it."""

    kind: FindingKind
    cause: str
    hint: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an asset turned out to be; `size` in pixels if they are known, `hashed` in bytes."""

    faults: tuple[Fault, ...]
    size: Size | None = None
    hashed: int = 0


def examine(exam: Exam, tick: Callable[[int], None]) -> list[Verdict]:
    """Examine each asset; a fault is a verdict, never an error."""
    verdicts = []
    with open_store(exam.store) as store:
        for asset in exam.assets:
            verdict = _examine(store, asset, exam)
            tick(verdict.hashed)
            verdicts.append(verdict)
    return verdicts


def _examine(store: AssetStore, asset: AssetName, exam: Exam) -> Verdict:
    try:
        check = store.check(asset) if exam.reading is Reading.ALL else store.glance(asset)
        return _judge(store, asset, check, exam)
    except (AssetMissingError, AssetCorruptError, UnreadableError) as error:
        return Verdict((Fault(_kind_of(error), error.why, error.hint),))


def _kind_of(error: AssetMissingError | AssetCorruptError | UnreadableError) -> FindingKind:
    match error:
        case AssetMissingError():
            return FindingKind.ASSET_MISSING
        case AssetCorruptError():
            return FindingKind.ASSET_CORRUPT
        case UnreadableError():
            return FindingKind.ASSET_UNREADABLE


def _judge(store: AssetStore, asset: AssetName, check: AssetCheck, exam: Exam) -> Verdict:
    media = sniff(check.head)
    faults = [] if media.ext == asset.ext else [_wrong_type(asset, media)]
    size = pixel_size(check.head, media)
    is_seen_whole = len(check.head) == check.size
    if size is None and media in _WITH_PIXELS and not is_seen_whole and exam.reading is Reading.ALL and check.size <= _MOST_HELD:
        size = pixel_size(_content(store, asset), media)  # behind a long colour profile, or at the end of a TIFF
        is_seen_whole = True
    if size is None and media in _WITH_PIXELS and is_seen_whole:
        faults.append(_undecodable("its header tells no size"))
    elif exam.decoding is Decoding.YES and media in DECODABLE and check.size <= _MOST_HELD:
        why = decode_fault(_content(store, asset))
        faults += [_undecodable(f"it does not decode: {why}")] if why else []
    return Verdict(tuple(faults), size, check.size if exam.reading is Reading.ALL else 0)


def _content(store: AssetStore, asset: AssetName) -> bytearray:
    """All bytes of an asset, for the few of which the head does not tell enough."""
    content = bytearray()
    with store.open(asset) as opened:
        for chunk in opened.chunks():
            content += chunk
    return content


def _wrong_type(asset: AssetName, media: MediaType) -> Fault:
    cause = f"the content is {media.mime}, and the name ends in .{asset.ext}"
    hint = f"by its content its name ends in .{media.ext}; migrate the original session again, or correct file and references alike"
    return Fault(FindingKind.ASSET_TYPE, cause, hint)


def _undecodable(cause: str) -> Fault:
    return Fault(FindingKind.ASSET_UNDECODABLE, cause, "the file is as it was stored; ask where the picture came from for a sound one")
