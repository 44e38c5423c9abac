"""Any mixture of faults of media is cured, and what is sent then is taken."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from sessionkit.core.base64 import encode
from tests.faults.media_bases import BMP, HTML, JPEG, PNG, SVG, alone, briefly_read, of_gemini, queued
from tests.faults.repairing import left_to_cure, repaired
from tests.faults.sending import told
from tests.faults.workshop import Session, opened
from tests.pictures import heic, picture

if TYPE_CHECKING:
    from collections.abc import Callable

Damage: TypeAlias = "Callable[[Session, int], Session]"

BYTES = (PNG, JPEG, BMP, HTML, SVG, heic((4, 3)), PNG[:-12], picture("PNG", "1", size=(8001, 4)), picture("TIFF"), b"x")
LABELS = ("image/png", "image/jpeg", "image/bmp", "image/jpg", "application/pdf", "text/html")
TEXTS = ("", "[image removed]", "/home/user/a.png", "blob:sha256:" + "0" * 64, "Zm9vZ", encode(JPEG).decode().rstrip("=") + "\n")


def with_bytes(session: Session, number: int, data: bytes, label: str) -> Session:
    return session.with_image(number, data, label)


def with_text(session: Session, number: int, text: str) -> Session:
    return session.with_text(number, text)


def with_text_alone(session: Session, number: int, text: str) -> Session:
    return alone(session, number, text)


def bytes_and_label(data: bytes, label: str) -> Damage:
    return partial(with_bytes, data=data, label=label)


damages: st.SearchStrategy[Damage] = st.one_of(
    st.builds(bytes_and_label, st.sampled_from(BYTES), st.sampled_from(LABELS)),
    st.sampled_from(TEXTS).map(lambda text: partial(with_text, text=text)),
    st.sampled_from(TEXTS).map(lambda text: partial(with_text_alone, text=text)),
)


@given(st.sampled_from((briefly_read(), queued(), of_gemini())), st.lists(st.tuples(st.integers(0, 2), damages), min_size=1, max_size=3))
@settings(max_examples=12, deadline=None)
def test_all_of_it_is_cured(session: Session, wrongs: list[tuple[int, Damage]]) -> None:
    for number, damage in dict(wrongs).items():
        session = damage(session, number)
    with TemporaryDirectory() as folder:
        cured = repaired(Path(folder), session.content).content
        assert left_to_cure(Path(folder), cured) == []
        assert repaired(Path(folder), cured).content == cured
        with opened(Path(folder), cured) as case:
            assert told(case) == []
            before = session.lines
    assert len(cured.splitlines()) == len(before)
