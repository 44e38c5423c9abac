"""Large files in ranges of whole lines."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessionkit.ops import segments
from sessionkit.ops.segments import Range, RangeStream, cut

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

texts = st.lists(st.sampled_from([b"\n", b"a", b"bb\n", b"c" * 7, b"\r\n", b"d" * 30 + b"\n"]), max_size=40).map(b"".join)


@pytest.fixture(scope="module")
def descriptor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """An open file to fill again and again."""
    with (tmp_path_factory.mktemp("segments") / "text").open("w+b", buffering=0) as file:
        yield file.fileno()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=texts, sizes=st.tuples(st.integers(1, 50), st.integers(1, 9)), jobs=st.integers(1, 5))
def test_every_byte_is_in_one_range_and_every_range_ends_with_a_line(
    descriptor: int, text: bytes, sizes: tuple[int, int], jobs: int
) -> None:
    os.truncate(descriptor, 0)
    os.pwrite(descriptor, text, 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segments, "LEAST", sizes[0])
        patch.setattr(segments, "_PROBE", sizes[1])
        ranges = cut(descriptor, len(text), jobs)
    parts = [text[part.start : part.stop] for part in ranges]
    assert b"".join(parts) == text
    assert all(part.endswith(b"\n") for part in parts[:-1])
    assert all(parts)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (b"", []),
        (b"12345", [b"12345"]),
        (b"123\n567\n", [b"123\n", b"567\n"]),
        (b"1\n3\n5\n7\n9", [b"1\n3\n", b"5\n7\n", b"9"]),
        (b"12345\n789", [b"12345\n", b"789"]),
        (b"1234567890\n", [b"1234567890\n"]),
        (b"\n\n\n\n\n", [b"\n\n\n\n", b"\n"]),
    ],
)
def test_cuts_lie_at_the_first_line_that_begins_behind_a_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: bytes, parts: list[bytes]
) -> None:
    monkeypatch.setattr(segments, "LEAST", 4)
    monkeypatch.setattr(segments, "_PROBE", 2)
    path = tmp_path / "text"
    path.write_bytes(text)
    with path.open("rb") as file:
        assert [text[part.start : part.stop] for part in cut(file.fileno(), len(text), 8)] == parts


def test_a_file_that_shrank_is_cut_as_far_as_it_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "LEAST", 4)
    (tmp_path / "text").write_bytes(b"123\n56")
    with (tmp_path / "text").open("rb") as file:
        assert cut(file.fileno(), 100, 1) == [Range(0, 100)]


def test_there_are_four_ranges_a_job_where_they_are_large_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "LEAST", 4)
    (tmp_path / "text").write_bytes(b"\n" * 800)
    with (tmp_path / "text").open("rb") as file:
        assert [len(cut(file.fileno(), 800, jobs)) for jobs in (1, 2, 100)] == [4, 8, 200]


@given(text=st.binary(max_size=40), start=st.integers(0, 20), size=st.integers(0, 20), buffer=st.integers(1, 9))
def test_a_range_stream_ends_with_its_range(text: bytes, start: int, size: int, buffer: int) -> None:
    whole = io.BytesIO(text)
    whole.seek(start)
    stream = RangeStream(whole, Range(start, start + size))  # type: ignore[arg-type]
    read, view = b"", memoryview(bytearray(buffer))
    while filled := stream.readinto(view):
        read += view[:filled]
    assert read == text[start : start + size]
