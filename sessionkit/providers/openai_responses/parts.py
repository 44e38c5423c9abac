"""What messages and outputs hold: texts, images and files."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from sessionkit.core.dialects.codex import ITEMS, recorded, told_member
from sessionkit.core.model import Media, MediaKind, Text, Unsupported, Uri
from sessionkit.providers.base import OpenAIDetail
from sessionkit.providers.body import Placed
from sessionkit.providers.openai import address, file_id, file_name

if TYPE_CHECKING:
    from sessionkit.core.model import Block, Carried
    from sessionkit.providers.body import Tree

_IMAGES = frozenset({"input_image", "computer_screenshot"})
_FILES = frozenset({"input_file"})


class TextType(StrEnum):
    """Who wrote a text."""

    INPUT = "input_text"
    OUTPUT = "output_text"


_SPOKEN = {TextType.INPUT: frozenset({"input_text"}), TextType.OUTPUT: frozenset({"output_text", "refusal"})}
"""Types of parts that are texts of the user or a tool, and of the model."""


def spell_part(block: Block, text_type: TextType, detail: OpenAIDetail | None) -> Tree:
    """Spell a block; `detail` is what was asked for, and goes before what the session says of an image."""
    return Placed(_part(block, text_type, detail), block.origin)


def spell_text(text: str, text_type: TextType) -> dict[str, Tree]:
    """Spell a text, one of the model with an empty list of its sources."""
    return {"type": text_type.value, "text": text, **({"annotations": []} if text_type is TextType.OUTPUT else {})}


def _part(block: Block, text_type: TextType, detail: OpenAIDetail | None) -> dict[str, Tree]:
    match block:
        case Text():
            members = recorded(block.carried)
            return _told(members, block.text) if members and _is_sound(members, text_type) else spell_text(block.text, text_type)
        case Media(MediaKind.IMAGE):
            return _image(block, detail)
        case Media():
            return _file(block)
        case Unsupported(carried=members):
            return dict(members)
        case _:
            raise AssertionError(block)


def _is_sound(members: Carried, text_type: TextType) -> bool:
    """Whether a recorded part may stand there and has a place for its text; one of a type that nobody here knows is as it should be."""
    type_ = members.get("type")
    told = told_member(type_)
    if told is None:
        return isinstance(type_, str) and bool(type_) and type_ not in ITEMS
    return type_ in _SPOKEN[text_type] and told in members


def _told(members: Carried, told: Tree) -> dict[str, Tree]:
    """Put what is told elsewhere into the one place that is empty."""
    return {name: told if value is None else value for name, value in members.items()}


def _recorded(media: Media, types: frozenset[str]) -> Carried | None:
    """Return the members of a recorded part, if its type is right: an image may have turned out to be a document."""
    members = recorded(media.carried)
    return members if members and members.get("type") in types else None


def _image(image: Media, asked: OpenAIDetail | None) -> dict[str, Tree]:
    members, uploaded = _recorded(image, _IMAGES), file_id(image)
    if members:
        return {**_told(members, address(image)), **({"detail": asked.value} if asked else {})}
    source = {"file_id": uploaded} if uploaded else {"image_url": address(image)}
    return {"type": "input_image", "detail": _detail(image, asked), **source}


def _detail(image: Media, asked: OpenAIDetail | None) -> str:
    stated = image.carried.get("detail")
    return asked or OpenAIDetail(stated if isinstance(stated, str) and stated in set(OpenAIDetail) else OpenAIDetail.AUTO)


def _file(file: Media) -> dict[str, Tree]:
    members, uploaded = _recorded(file, _FILES), file_id(file)
    if members:
        return _told(members, address(file))
    if uploaded:
        return {"type": "input_file", "file_id": uploaded}
    if isinstance(file.source, Uri):
        return {"type": "input_file", "file_url": file.source.uri}
    return {"type": "input_file", "filename": file_name(file), "file_data": address(file)}
