"""A body that is written but for its media, so that its size is known before any of them is encoded."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.model import Media
from sessionkit.dataclass import dataclass
from sessionkit.providers.body import write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sessionkit.providers.body import Encode, Tree

Chunk: TypeAlias = bytes | Media


@dataclass(frozen=True, slots=True)
class Draft:
    """A body as a tree, and as it is sent: chunks of text, and media between them."""

    members: Mapping[str, Tree]
    chunks: tuple[Chunk, ...]

    @property
    def text_bytes(self) -> int:
        """Bytes of all that is no base64."""
        return sum(len(chunk) for chunk in self.chunks if isinstance(chunk, bytes))

    def write(self, encode: Encode) -> Iterator[bytes]:
        """Complete the body; a medium is encoded when it is its turn."""
        for chunk in self.chunks:
            yield encode(chunk) if isinstance(chunk, Media) else chunk


def draft(members: Mapping[str, Tree]) -> Draft:
    """Write all but the media."""
    return Draft(members, tuple(_chunks(members)))


def _chunks(tree: Tree) -> Iterator[Chunk]:
    turn: list[Media] = []

    def take(media: Media) -> bytes:
        turn.append(media)
        return b""

    for text in write(tree, take):
        if turn:
            yield turn.pop()
        elif text:
            yield text
