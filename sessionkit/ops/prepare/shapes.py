"""The blocks of a text and an image, as agents keep them in sessions and as vendors take them; inline, or with a reference to an asset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from sessionkit.core.base64 import encode
from sessionkit.core.ladder import PORTABLE
from sessionkit.core.model import Inline, Media, MediaKind, Message, Role, Text
from sessionkit.core.sniff import GIF, JPEG, PNG
from sessionkit.dataclass import dataclass
from sessionkit.errors import UsageError
from sessionkit.providers import provider_of
from sessionkit.providers.base import Prompt, Provider, Target
from sessionkit.providers.body import Payload, Placed

if TYPE_CHECKING:
    from sessionkit.core.assets import AssetName
    from sessionkit.core.ladder import Fitted
    from sessionkit.core.model import Block, Json
    from sessionkit.core.pixels import Size
    from sessionkit.core.sniff import MediaType
    from sessionkit.providers.body import Tree

_WRITTEN: Final = frozenset({PNG, JPEG})


@dataclass(frozen=True, slots=True)
class Reference:
    """An asset, and the size that its header states."""

    asset: AssetName
    size: Size


class Shape(Protocol):
    """Whose blocks they are."""

    @property
    def vendor(self) -> str:
        """In the words of sessions; empty for that of an agent that talks to many."""

    @property
    def still(self) -> frozenset[MediaType]:
        """Types that an image may have."""

    @property
    def moving(self) -> frozenset[MediaType]:
        """Types that an image of several frames may have; and those of what it becomes."""

    def text(self, text: str) -> Json:
        """Write a text."""

    def image(self, image: Fitted) -> Json:
        """Write an image inline."""

    def reference(self, image: Fitted, reference: Reference) -> Json:
        """Write an image whose bytes are an asset."""


class _Pi:
    """Blocks of Pi, and of Ink."""

    vendor = ""
    still = moving = PORTABLE.types

    def text(self, text: str) -> Json:
        return {"type": "text", "text": text}

    def image(self, image: Fitted) -> Json:
        return {"type": "image", "data": _base64(image), "mimeType": image.type.mime}

    def reference(self, image: Fitted, reference: Reference) -> Json:
        return {"type": "image", **_run(reference, "data", ""), "mimeType": image.type.mime}


class _Native(_Pi):
    """Blocks of an agent that reads references by itself: they name no member that was replaced."""

    def image(self, image: Fitted) -> Json:
        return {"type": "image", "mime_type": image.type.mime, "data": _base64(image)}

    def reference(self, image: Fitted, reference: Reference) -> Json:
        return {"type": "image", "mime_type": image.type.mime, **_asset(reference)}


@dataclass(frozen=True, slots=True)
class _Wire:
    """Blocks of a user's message as an interface takes them; a reference stands for base64 there as `migrate` would write it."""

    provider: Provider
    still: frozenset[MediaType] = PORTABLE.types

    @property
    def vendor(self) -> str:
        return self.provider.vendor

    @property
    def moving(self) -> frozenset[MediaType]:
        return self.still if self.provider.takes_animation else _WRITTEN

    def text(self, text: str) -> Json:
        return _plain(self._block(Text(text)), None, None)

    def image(self, image: Fitted) -> Json:
        return _plain(self._block(_medium(image)), image, None)

    def reference(self, image: Fitted, reference: Reference) -> Json:
        return _plain(self._block(_medium(image)), image, reference)

    def _block(self, block: Block) -> Tree:
        body = self.provider.body(Prompt((Message(Role.USER, (block,)),)), Target(self.provider.vendor, self.provider.api))
        match body[self.provider.list_name]:
            case [Placed({"content": [Placed(written)]} | {"parts": [Placed(written)]})]:
                return written
            case other:
                raise AssertionError(other)


NATIVE: Final[Shape] = _Native()
_OWN: Final[dict[str, Shape]] = {"native": NATIVE, "pi": _Pi()}
_IN_RESULTS: Final = {"gemini": PORTABLE.types - {GIF}}
"""Of the types that interfaces take, those that results may hold, as documented."""
SHAPES: Final = (*_OWN, "anthropic", "openai-chat", "openai-responses", "gemini")
"""Names of all shapes."""


def shape_of(name: str) -> Shape:
    """Find a shape by its name. Raises UsageError."""
    if name not in SHAPES:
        raise UsageError(f"{name!r} is not one of {', '.join(SHAPES)}")
    return _OWN.get(name) or _Wire(provider_of(name), _IN_RESULTS.get(name, PORTABLE.types))


def _medium(image: Fitted) -> Media:
    return Media(MediaKind.IMAGE, Inline(""), image.type.mime)


def _plain(tree: Tree, image: Fitted | None, reference: Reference | None) -> Json:
    """Complete a block: of the few levels that it has, one holds the payload."""
    match tree:
        case Placed(value):
            return _plain(value, image, reference)
        case dict():
            members: dict[str, Json] = {}
            for name, value in tree.items():
                if isinstance(value, Payload) and reference:
                    members |= _run(reference, name, value.prefix)
                else:
                    members[name] = _plain(value, image, reference)
            return members
        case Payload(prefix=prefix) if image:
            return prefix + _base64(image)
        case str():
            return tree
        case _:
            raise AssertionError(tree)


def _base64(image: Fitted) -> str:
    return encode(image.data).decode()


def _asset(reference: Reference) -> dict[str, Json]:
    return {"asset_path": reference.asset.reference, "width": reference.size.width, "height": reference.size.height}


def _run(reference: Reference, field: str, prefix: str) -> dict[str, Json]:
    """Write the members that stand for one that held base64."""
    return {**_asset(reference), **({"asset_prefix": prefix} if prefix else {}), "asset_field": field}
