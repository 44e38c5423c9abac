"""What Anthropic's Messages interface refuses of images and documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.providers.strict.anthropic_words import Block, Limits, refuse
from tests.providers.strict.base import PDF, Loaded, Refusal, decode, picture

if TYPE_CHECKING:
    from collections.abc import Iterator

_TYPES = ("image/jpeg", "image/png", "image/gif", "image/webp")
_SOURCES = ("base64", "url", "file")


def judge_media(every: list[Block], limits: Limits) -> Iterator[Refusal]:
    images = [block for block in every if block.value["type"] == "image"]
    documents = [block for block in every if block.value["type"] == "document"]
    if len(images) + len(documents) > limits.media:
        # Of a document the pages count; here each has one.
        yield refuse(f"Too much media: {len(documents)} document pages + {len(images)} images > {limits.media}")
    for block in images:
        yield from _image(block, limits)
    for block in documents:
        yield from _document(block)
    yield from _sides(images, limits)


def _image(block: Block, limits: Limits) -> Iterator[Refusal]:
    match block.value["source"]:
        case {"type": kind} if kind not in _SOURCES:
            tags = ", ".join(f"'{source}'" for source in _SOURCES)
            yield refuse(
                f"{block.place}.image.source: Input tag '{kind}' found using 'type' does not match any of the expected tags: {tags}"
            )
        case {"type": "base64"} as source if missing := [name for name in ("data", "media_type") if name not in source]:
            yield refuse(f"{block.place}.image.source.base64.{missing[0]}: Field required")
        case {"type": "base64", "media_type": label} if label not in _TYPES:
            yield refuse(
                f"{block.place}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"
            )
        case {"type": "base64", "data": str(text), "media_type": label}:
            yield from _payload(f"{block.place}.image", text, limits)
            yield from _content(f"{block.place}.image", decode(text), label, limits)


def _payload(place: str, text: str, limits: Limits) -> Iterator[Refusal]:
    if not text:
        yield refuse(f"{place}.source.base64: image cannot be empty")
    elif decode(text) is None:
        yield refuse(f"{place}.source.base64: invalid base64 data")
    if len(text) > limits.image_chars:
        megabytes = limits.image_chars // 2**20
        yield refuse(f"{place}.source.base64: image exceeds {megabytes} MB maximum: {len(text)} bytes > {limits.image_chars} bytes")


def _content(place: str, data: bytes | None, label: str, limits: Limits) -> Iterator[Refusal]:
    if not data:
        return
    seen = picture(data)
    if seen is None:
        yield refuse("Could not process image")
    elif seen.mime != label:
        yield refuse(limits.wrong_label.format(place=place, label=label, mime=seen.mime))


def _document(block: Block) -> Iterator[Refusal]:
    match block.value["source"]:
        case {"type": "base64", "media_type": label} if label != PDF:
            yield refuse(f"{block.place}.document.source.base64.media_type: Input should be '{PDF}'")
        case {"type": "base64", "data": str(text)} if not _is_pdf(decode(text) or b""):
            yield refuse(f"{block.place}.document.source.base64.data: The PDF specified was not valid.")


def _is_pdf(data: bytes) -> bool:
    return data.startswith(b"%PDF-") and b"%%EOF" in data[-1024:]


def _sides(images: list[Block], limits: Limits) -> Iterator[Refusal]:
    """One refusal for all: the message names the first image, the details name each."""
    is_many = len(images) > limits.many
    longest, kind = (limits.many_side, " for many-image requests") if is_many else (limits.side, "")
    large = [block for block in images if _longest_side(block.value["source"]) > longest]
    if large:
        yield refuse(
            f"{large[0].place}.image.source.base64.data: "
            f"At least one of the image dimensions exceed max allowed size{kind}: {longest} pixels",
            error_code="image_dimensions_too_large",
            max_side_length_pixels=longest,
            paths=[block.path for block in large],
        )


def _longest_side(source: Loaded) -> int:
    data = decode(source.get("data", ""))
    seen = picture(data) if data else None
    return max(seen.width, seen.height) if seen else 0
