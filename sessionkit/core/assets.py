"""The names of assets: a hash of the content, and an extension that the content earned."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Self

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from sessionkit.core.sniff import MediaType

FOLDER = "images"
"""The folder beside a session that holds its assets."""


@cache
def _reference() -> re.Pattern[str]:
    from sessionkit.core.sniff import KNOWN_EXTENSIONS  # noqa: PLC0415  it costs start-up, and many sessions have no reference

    return re.compile(rf"{FOLDER}/(?P<digest>[0-9a-f]{{64}})\.(?P<ext>{'|'.join(sorted(KNOWN_EXTENSIONS))})")


@dataclass(frozen=True, slots=True)
class AssetName:
    """What an asset is called: the SHA-256 of its bytes in lower-case hex, and one of the known extensions."""

    digest: str
    ext: str

    @classmethod
    def parse(cls, reference: str) -> Self:
        """Read `images/<digest>.<ext>`, to the letter; ValueError for any other path, however near."""
        found = _reference().fullmatch(reference)
        if found is None:
            message = f"not an asset reference: {reference[:100]!r}"
            raise ValueError(message)
        return cls(*found.groups())

    def __hash__(self) -> int:
        """Hash the digest alone, which says all."""
        return hash(self.digest)

    @classmethod
    def of(cls, data: Buffer, media: MediaType) -> Self:
        """Name the asset that holds these bytes."""
        from hashlib import sha256  # noqa: PLC0415  it costs start-up, and many commands only read names

        return cls(sha256(data).hexdigest(), media.ext)

    @property
    def file_name(self) -> str:
        """The name in the asset folder."""
        return f"{self.digest}.{self.ext}"

    @property
    def reference(self) -> str:
        """The path from the session, which stands in the session's lines."""
        return f"{FOLDER}/{self.file_name}"
