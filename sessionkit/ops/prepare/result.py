"""What became of an image."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.assets import AssetName
    from sessionkit.core.ladder import Fitted, Overlarge
    from sessionkit.core.model import Json
    from sessionkit.core.sniff import MediaType
    from sessionkit.errors import SessionkitError
    from sessionkit.ops.prepare.shapes import Shape

BLIND = "[Current model does not support images. The image will be omitted from this request.]"


@dataclass(frozen=True, slots=True)
class Prepared:
    """The content of a tool's result that shows an image; a text alone where it had to be left out, which is no error of the tool.

    `type` is what the file holds. `outcome` is what is shown, or why nothing is; `asset` is where its bytes are, None if they are inline.
    """

    name: str
    text: str
    blocks: tuple[Json, ...]
    type: MediaType
    outcome: Fitted | Overlarge
    asset: AssetName | None = None


def text_of(image: Fitted, more: Iterable[str]) -> str:
    """Tell the model what it sees, what it was converted from, how to get from its pixels to those of the file, and some more."""
    return "\n".join([_read(image.type), *reversed(image.notes), *more])


def text_without(media: MediaType, overlarge: Overlarge, advice: str) -> str:
    """Tell the model why it sees nothing, and what could be done about it."""
    return f"{_read(media)}\n[Image omitted: {overlarge.reason}.{advice and ' '}{advice}]"


def error_blocks(error: SessionkitError, shape: Shape) -> tuple[Json, ...]:
    """Make the content of a tool's result that tells of an error, in one line of visible characters: a path may hold any."""
    place = f"{error.place}: " if error.place else ""
    why = f": {error.why}" if error.why else ""
    return (shape.text("".join(map(_spelt, f"Error: {place}{error.what}{why}"))),)


def _spelt(char: str) -> str:
    return char if char.isprintable() else char.encode("unicode_escape").decode()


def _read(media: MediaType) -> str:
    return f"Read image file [{media.mime}]"
