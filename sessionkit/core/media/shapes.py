"""The shapes in which agents, SDKs and frameworks write inline media: which string of which object is base64.

Names alone do not decide: a shape is a name with its neighbours. Sources: Pi, Claude Code, Codex, qwen-code, Gemini CLI,
the APIs of Anthropic, OpenAI, Google and Bedrock, MCP, LangChain, AI SDK, Cline, OpenHands and Inspect AI.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sessionkit.core.media.scopes import Scope
    from sessionkit.core.media.tree import Node

NAMES = frozenset({"data", "base64", "image_data", "result", "bytes", "image", "file_data", "images"})
"""Every name that `is_bare` or `is_either` can say yes to."""

_MEDIA_TYPE_NAMES = frozenset({"mimeType", "mime_type", "mediaType", "media_type", "mime"})
_MEDIA_BLOCKS = frozenset({"image", "document"})
_IMAGE_BLOCKS = frozenset({"media", "image-data"})
_FILE_BLOCKS = frozenset({"file", "file-data"})
_GENERATED = frozenset({"image_generation_call", "image_generation_end"})
_INLINE = frozenset({"inlineData", "inline_data"})


class Trust(Enum):
    """How a string was found: by its shape, so that it is media whatever its bytes; or to be judged by its bytes alone."""

    SHAPE = auto()
    BYTES = auto()


def is_bare(name: str, scope: Scope) -> bool:
    """Whether the string under `name` of this object is base64 without a prefix, by the shape of the object."""
    match name:
        case "data":
            return _is_data(scope)
        case "base64":
            return scope.type in {"image", "pdf"} or scope.name == "file" or "originalSize" in scope.names
        case "image_data":
            return scope.name == "image" or bool(scope.names.keys() & _MEDIA_TYPE_NAMES)
        case "result":
            return scope.type in _GENERATED
        case "bytes":
            return scope.name == "source" and scope.outer is not None and "format" in scope.outer.names
        case _:
            return False


def is_either(name: str, scope: Scope) -> bool:
    """Whether it is bare base64 or a data URL, but just as well a path, an address or an id."""
    match name:
        case "image":
            return scope.type == "image"
        case "file_data":
            return scope.name == "file" or "filename" in scope.names or scope.type == "input_file"
        case "images":
            return True
        case _:
            return False


def declared_media_types(scope: Scope) -> list[Node]:
    """Return the values beside the data that declare its type."""
    return [node for name, node in scope.names.items() if name in _MEDIA_TYPE_NAMES or (name == "type" and scope.name == "file")]


def _is_data(scope: Scope) -> bool:
    if scope.type in {"base64", "image"} or scope.name in _INLINE:
        return True
    if scope.type in _IMAGE_BLOCKS:
        return bool(scope.names.keys() & _MEDIA_TYPE_NAMES)
    if scope.type in _FILE_BLOCKS:
        return bool(scope.names.keys() & {"mediaType", "source_type"})
    outer = scope.outer
    return scope.name == "source" and not scope.type and outer is not None and outer.type in _MEDIA_BLOCKS
