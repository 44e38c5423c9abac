"""Who can resolve a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Media, MediaKind, Origin, Uri
from sessionkit.providers.replay.references import vendor_of

if TYPE_CHECKING:
    from sessionkit.core.model import Json

FILE: Json = {"type": "file", "file_id": "f"}


def medium(uri: str, pointer: str, carried: dict[str, Json]) -> Media:
    return Media(MediaKind.IMAGE, Uri(uri), origin=Origin(pointer=pointer), carried=carried)


@pytest.mark.parametrize(
    ("media", "format_", "vendor"),
    [
        (medium("f", "/content/0", {"source": FILE}), "claude-code", "anthropic"),
        (medium("https://h/a", "/content/0", {"source": FILE}), "plain", "anthropic"),
        (medium("f", "/content/0", {"file_id": "f"}), "plain", "openai"),
        (medium("https://h/a", "/content/0", {"file_url": "https://h/a"}), "codex", "openai"),
        (medium("https://h/a", "/content/0", {"detail": "high"}), "plain", "openai"),
        (medium("https://h/a", "/content/0", {}), "codex", "openai"),
        (medium("files/a", "/parts/0/fileData", {}), "gemini-cli", "google"),
        (medium("gs://b/a", "/parts/0/file_data", {}), "plain", "google"),
        (medium("https://h/a", "/message/content/0", {}), "pi", ""),
        (medium("blob:a", "/content/0", {}), "plain", ""),
    ],
)
def test_vendor(media: Media, format_: str, vendor: str) -> None:
    assert isinstance(media.source, Uri)
    assert vendor_of(media, media.source.uri, format_) == vendor
