"""How to verify, and what came out."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sessionkit.core.assets import AssetName
    from sessionkit.core.stores.addresses import Address
    from sessionkit.ops.findings import Findings
    from sessionkit.ops.sources import Source


class Reading(Enum):
    """How much of each asset is read: all of it, so that its hash is known to be right; or its first 64 KiB, for type and pixels."""

    ALL = auto()
    HEADERS = auto()


class Decoding(Enum):
    """Whether pictures are decoded too, which reads them whole; HEIC and SVG never are, nor what is larger than 256 MiB."""

    NO = auto()
    YES = auto()


@dataclass(frozen=True, slots=True)
class Options:
    """How to verify. `store` is the asset folder; None for `images` beside each session."""

    reading: Reading = Reading.ALL
    decoding: Decoding = Decoding.NO
    store: Address | None = None


@dataclass(frozen=True, slots=True)
class Verified:
    """A session that was read to its end.

    `findings` are in the order of their lines, `notes` too; `references` is the number of well-formed ones. `checked` are the
    different assets among them, each with the bytes that were hashed and found right: 0 when `reading` is HEADERS.
    An asset that several sessions name is read once.
    """

    source: Source
    store: Address
    reading: Reading
    findings: Findings
    notes: Findings
    references: int
    checked: Mapping[AssetName, int]

    @property
    def assets(self) -> int:
        """Number of different assets that are named."""
        return len(self.checked)

    @property
    def checked_bytes(self) -> int:
        """Bytes of these assets that were hashed and found right."""
        return sum(self.checked.values())


@dataclass(frozen=True, slots=True)
class StoreVerified:
    """A store whose sessions were all looked for: its orphans are `findings`, strangers in it `notes`.

    `assets` is the number of asset files; `orphan_bytes` the size of those that nobody names.
    """

    store: Address
    findings: Findings
    notes: Findings
    assets: int
    orphan_bytes: int
