"""Media looked at by their bytes, wherever these are."""

from __future__ import annotations

import base64
import hashlib
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.assets import AssetName
from sessionkit.core.base64 import Defect
from sessionkit.core.model import Inline, Media, MediaKind, Origin, Stored, Uri
from sessionkit.core.pictures import MOST_BYTES, Depth, Facts, Pictures, Trouble
from sessionkit.core.pixels import Size
from sessionkit.core.slices import Slice
from sessionkit.core.sniff import BIN, GIF, HEIC, JPEG, PDF, PNG, WEBP, sniff
from sessionkit.core.stores import LocalStore
from sessionkit.errors import ChangedError, UnreadableError
from tests.pictures import HEIGHT, WIDTH, animation, heic, images, picture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import MediaSource

PICTURE = picture("PNG")
OTHER = picture("PNG", "L")
ZEROS_INSIDE = PICTURE[:60] + bytes(len(PICTURE) - 72) + PICTURE[-12:]
ELSEWHERE = LocalStore(Path("/nonexistent"))


def text_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


def medium(source: MediaSource) -> Media:
    return Media(MediaKind.IMAGE, source, origin=Origin("s.jsonl", 3, "e1", "/message/content/1"))


def inline(data: bytes) -> Media:
    return medium(Inline(text_of(data)))


@dataclass(frozen=True)
class Home:
    """A folder with a session, and its assets."""

    folder: Path

    @property
    def session(self) -> Path:
        return self.folder / "session.jsonl"

    def stored(self, data: bytes) -> Media:
        name = AssetName.of(data, sniff(data))
        with LocalStore(self.folder / "images") as store:
            store.put(name, data)
            store.flush()
        return medium(Stored(name))

    def sliced(self, data: bytes) -> Media:
        self.session.write_text('{"data":"' + text_of(data) + '"}\n')
        return medium(Slice(self.session, len('{"data":"'), len(text_of(data))))

    def file_of(self, media: Media) -> Path:
        assert isinstance(media.source, Stored)
        return self.folder / media.source.asset.reference


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture
def store(home: Home) -> Iterator[LocalStore]:
    with LocalStore(home.folder / "images") as store:
        yield store


SIZE = Size(WIDTH, HEIGHT)


@pytest.mark.parametrize(
    ("data", "facts"),
    [
        pytest.param(PICTURE, Facts(PNG, SIZE, 0, "", is_animated=False), id="png"),
        pytest.param(images()["jpeg exif"][1], Facts(JPEG, SIZE, 0, "", is_animated=False), id="jpeg as it is stored"),
        pytest.param(animation("PNG"), Facts(PNG, SIZE, 0, "", is_animated=True), id="animated png"),
        pytest.param(animation("GIF"), Facts(GIF, SIZE, 0, "", is_animated=True), id="animated gif"),
        pytest.param(animation("WEBP"), Facts(WEBP, SIZE, 0, "", is_animated=True), id="animated webp"),
        pytest.param(heic((7, 5)), Facts(HEIC, Size(7, 5), 0, "", is_animated=False), id="heic"),
        pytest.param(b"%PDF-1.7 %%EOF", Facts(PDF, None, 0, "", is_animated=False), id="pdf"),
        pytest.param(b"what is this", Facts(BIN, None, 0, "", is_animated=False), id="unknown"),
    ],
)
def test_facts_are_the_same_wherever_the_bytes_are(home: Home, store: LocalStore, data: bytes, facts: Facts) -> None:
    expected = replace(facts, bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
    for media in (inline(data), home.sliced(data), home.stored(data)):
        pictures = Pictures(store)
        assert pictures.look(media) == expected
        assert pictures.base64(media) == text_of(data).encode()
        assert pictures.data(media) == data


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text_of(PICTURE), id="canonical"),
        pytest.param(text_of(PICTURE).rstrip("="), id="no padding"),
        pytest.param(base64.encodebytes(PICTURE).decode(), id="line breaks"),
        pytest.param(base64.urlsafe_b64encode(PICTURE).decode(), id="other alphabet"),
    ],
)
def test_base64_is_canonical_however_it_was_spelled(text: str) -> None:
    pictures = Pictures(ELSEWHERE)
    assert pictures.base64(medium(Inline(text))) == text_of(PICTURE).encode()
    assert pictures.data(medium(Inline(text))) == PICTURE


@pytest.mark.parametrize(
    ("text", "defect"),
    [
        (text_of(PICTURE), None),
        (f"{text_of(PICTURE)[:76]}\n{text_of(PICTURE)[76:]}", Defect.LINE_BREAKS),
        (text_of(PICTURE).replace("/", "_").replace("+", "-"), Defect.URL_SAFE),
        (text_of(PICTURE + b"x" * (4 - len(PICTURE) % 3)).rstrip("="), Defect.MISSING_PADDING),
        ("[image removed]", None),
        ("", None),
    ],
)
def test_a_misspelling_of_what_decodes(text: str, defect: Defect | None) -> None:
    assert Pictures(ELSEWHERE).misspelling(medium(Inline(text))) is defect


def test_a_slice_may_hold_anything(home: Home) -> None:
    media = home.sliced(PICTURE)
    assert isinstance(media.source, Slice)
    data = home.session.read_bytes()
    home.session.write_bytes(data[:40] + "ä\xff".encode("latin-1") + data[42:])
    assert Pictures(ELSEWHERE).look(media) == Trouble("not base64: foreign characters")
    home.session.write_bytes(data[:40])
    with pytest.raises(ChangedError):
        Pictures(ELSEWHERE).look(media)


@given(st.binary(min_size=1, max_size=50))
def test_any_bytes_come_back(data: bytes) -> None:
    pictures = Pictures(ELSEWHERE)
    if isinstance(pictures.look(inline(data)), Facts):
        assert pictures.data(inline(data)) == data


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (Inline(""), "empty"),
        (Inline(" \n"), "empty"),
        (Inline("[image removed]"), "not base64: foreign characters"),
        (Inline("/home/user/a.png"), "not base64: foreign characters"),
        (Inline("Zm9v\\n"), "not base64: foreign characters"),
        (Inline("Zm9v\ud83d"), "not base64: foreign characters"),
        (Inline("Zg==Zm9v"), "not base64: padding inside"),
        (Inline("Zm9vZ"), "not base64: of an impossible length"),
        (Inline("Zm9v="), "not base64: too much padding"),
        (Inline("="), "not base64: too much padding"),
        (Uri("https://host/a.png"), "only its vendor can resolve it"),
        (Inline(text_of(PICTURE[:-40])), "cut off: no IEND chunk"),
        (Inline(text_of(PICTURE[:36])), "cut off: it ends in a header"),
        (Inline(text_of(picture("JPEG")[:-30])), "cut off: no end of image"),
        (Inline(text_of(PICTURE[:16] + bytes(8) + PICTURE[24:])), "unreadable: its header tells no size"),
        (Slice(Path("no such file"), 0, MOST_BYTES * 2), "larger than 384 MiB"),
    ],
)
def test_trouble(source: MediaSource, reason: str) -> None:
    trouble = Pictures(ELSEWHERE).look(medium(source))
    assert isinstance(trouble, Trouble)
    assert trouble.reason == reason


def test_what_is_in_trouble_has_its_facts_as_far_as_there_are_any() -> None:
    cut = PICTURE[:-40]
    facts = Facts(PNG, Size(WIDTH, HEIGHT), len(cut), hashlib.sha256(cut).hexdigest(), is_animated=False)
    assert Pictures(ELSEWHERE).look(inline(cut)) == Trouble("cut off: no IEND chunk", facts)


def test_pixels_are_looked_at_when_that_is_asked_for() -> None:
    assert isinstance(Pictures(ELSEWHERE).look(inline(ZEROS_INSIDE)), Facts)
    trouble = Pictures(ELSEWHERE, Depth.PIXELS).look(inline(ZEROS_INSIDE))
    assert isinstance(trouble, Trouble)
    assert trouble.reason.startswith("unreadable: broken data stream")
    assert isinstance(Pictures(ELSEWHERE, Depth.PIXELS).look(inline(PICTURE)), Facts)
    assert isinstance(Pictures(ELSEWHERE, Depth.PIXELS).look(inline(heic((7, 5)))), Facts)  # nobody here can decode it


def test_trouble_with_assets(home: Home, store: LocalStore) -> None:
    missing, altered, empty, folder = (home.stored(picture("PNG", size=(side, 1))) for side in range(1, 5))
    home.file_of(missing).unlink()
    home.file_of(altered).write_bytes(PICTURE)
    home.file_of(folder).unlink()
    home.file_of(folder).mkdir()
    nothing = home.stored(b"")
    home.file_of(empty).write_bytes(b"")
    pictures = Pictures(store)
    reasons = {name: getattr(pictures.look(media), "reason", "") for name, media in locals().items() if isinstance(media, Media)}
    digest = hashlib.sha256(PICTURE).hexdigest()
    assert reasons == {
        "missing": "missing",
        "altered": f"corrupt: the SHA-256 of its bytes is {digest}",
        "empty": f"corrupt: the SHA-256 of its bytes is {hashlib.sha256(b'').hexdigest()}",
        "folder": "corrupt: it is a folder, not a regular file",
        "nothing": "empty",
    }


def test_trouble_with_the_folder_of_assets(tmp_path: Path) -> None:
    (tmp_path / "images").write_text("not a folder")
    with LocalStore(tmp_path / "images") as store:
        assert Pictures(store).look(medium(Stored(AssetName("0" * 64, "png")))) == Trouble("unreadable: it is a regular file, not a folder")


def test_what_is_in_trouble_gives_nothing() -> None:
    with pytest.raises(UnreadableError, match=r"^s\.jsonl:3 at /message/content/1: this medium cannot be used: empty$"):
        Pictures(ELSEWHERE).base64(medium(Inline("")))
    with pytest.raises(UnreadableError, match="cut off"):
        Pictures(ELSEWHERE).data(inline(PICTURE[:-1]))


def test_a_session_that_cannot_be_read_any_more_is_no_trouble_but_an_error(home: Home) -> None:
    media = home.sliced(PICTURE)
    home.session.write_bytes(b"{}\n")
    with pytest.raises(ChangedError):
        Pictures(ELSEWHERE).look(media)
    home.session.unlink()
    with pytest.raises(UnreadableError):
        Pictures(ELSEWHERE).look(media)


def test_what_was_looked_at_is_not_read_again(home: Home, store: LocalStore) -> None:
    stored, sliced = home.stored(PICTURE), home.sliced(OTHER)
    pictures = Pictures(store)
    for media in (stored, sliced):
        pictures.look(media)
    home.file_of(stored).unlink()
    home.session.unlink()
    assert [pictures.base64(media) for media in (stored, sliced)] == [text_of(data).encode() for data in (PICTURE, OTHER)]
    assert [pictures.data(media) for media in (stored, sliced)] == [PICTURE, OTHER]


def test_equal_pictures_are_kept_once(home: Home, store: LocalStore) -> None:
    pictures = Pictures(store, budget=len(text_of(PICTURE)))
    same = [pictures.base64(media) for media in (inline(PICTURE), home.sliced(PICTURE), home.stored(PICTURE), inline(PICTURE))]
    assert all(text is same[0] for text in same)


def test_what_is_too_much_to_be_kept_is_read_and_checked_again(home: Home, store: LocalStore) -> None:
    stored, sliced = home.stored(PICTURE), home.sliced(PICTURE)
    pictures = Pictures(store, budget=len(text_of(PICTURE)) - 1)
    for media in (stored, sliced):
        pictures.look(media)
        assert pictures.base64(media) == text_of(PICTURE).encode()
        assert pictures.data(media) == PICTURE
    home.file_of(stored).write_bytes(OTHER)
    home.session.write_text('{"data":"' + text_of(OTHER).ljust(len(text_of(PICTURE)), "A") + '"}\n')
    for media in (stored, sliced):
        with pytest.raises(ChangedError):
            pictures.base64(media)


def test_memory_is_bounded_by_what_is_kept(home: Home, store: LocalStore) -> None:
    large = [home.stored(os.urandom(300_000)) for _ in range(3)]
    pictures = Pictures(store, budget=900_000)
    for media in large:
        pictures.look(media)
    home.file_of(large[0]).unlink()
    home.file_of(large[2]).unlink()
    pictures.base64(large[0])
    with pytest.raises(ChangedError):
        pictures.base64(large[2])
