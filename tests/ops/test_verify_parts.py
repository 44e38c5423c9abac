"""A large session is gathered in ranges: what comes out is the same."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import pytest

from sessionkit.errors import SessionkitError, UnreadableError
from sessionkit.ops.batch import Batch, OnFailure
from sessionkit.ops.dispatch import Crew
from sessionkit.ops.findings import FindingKind
from sessionkit.ops.sources import Source
from sessionkit.ops.verify import gathered as results
from sessionkit.ops.verify import parts
from sessionkit.ops.verify.gather import Part, gather
from sessionkit.ops.verify.gathered import Gathered
from sessionkit.ops.verify.parts import Outcome, gather_all

DIGESTS = [f"{number:064x}" for number in range(3)]
SPILLED = [b'{"content":[{"type":"image","asset_path":"images/%b.png","asset_field":"data"}]}\n' % digest.encode() for digest in DIGESTS]
SIZED = SPILLED[0].replace(b'"asset_field"', b'"width":3,"height":2,"asset_field"')
ODD = b'{"type":"image","asset_path":"images/odd.png"}\n'
INLINE = b'{"type":"image","data":"aGk="}\n'
TORN = SPILLED[1][:-20] + b"\n"
TEXT = b'{"text":"nothing of interest"}\n\n'
LINES = [SPILLED[0], TEXT, ODD, SPILLED[1], INLINE, TEXT, SPILLED[0], SIZED, TORN, SPILLED[2], INLINE, SPILLED[1], ODD, SPILLED[0]]


@pytest.fixture(autouse=True)
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_LEAST", 1)


@pytest.fixture
def session(tmp_path: Path) -> Source:
    return source_of(tmp_path / "session.jsonl", b"".join(LINES * 3))


def source_of(path: Path, text: bytes) -> Source:
    path.write_bytes(text)
    return Source(path, Path(path.name))


def read_whole(source: Source) -> Gathered:
    return gather(Part(source), lambda _size: None)


def here(jobs: int, **more: object) -> Batch:
    """Cut for so many processes, and read all ranges in this one."""
    return Batch(jobs, least=sys.maxsize, **more)  # type: ignore[arg-type]


def gather_in(batch: Batch, *sources: Source) -> list[Outcome]:
    with Crew(batch) as crew:
        return list(gather_all(sources, crew))


@pytest.mark.parametrize("most", [1, 5, 10_000])
@pytest.mark.parametrize("jobs", [1, 2, 3, 9])
def test_ranges_say_what_the_whole_says(session: Source, monkeypatch: pytest.MonkeyPatch, jobs: int, most: int) -> None:
    monkeypatch.setattr(results, "_MOST_SPOTS", most)
    ticks: list[int] = []
    ((source, gathered),) = gather_in(here(jobs, progress=ticks.append), session)
    assert source is session
    assert gathered == read_whole(session)
    assert len(ticks) == 1 if jobs == 1 else len(ticks) > jobs
    assert isinstance(gathered, Gathered)
    assert list(gathered.claims) == list(read_whole(session).claims)
    assert (gathered.references, gathered.lines) == (21, 48)


def test_very_many_findings_are_counted_and_the_first_are_kept(tmp_path: Path) -> None:
    session = source_of(tmp_path / "session.jsonl", ODD * 1500 + INLINE * 1500)
    ((_, gathered),) = gather_in(here(4), session)
    assert gathered == read_whole(session)
    assert isinstance(gathered, Gathered)
    assert (len(gathered.lost.kept), gathered.lost.counts[FindingKind.ODD_REFERENCE]) == (1000, 1500)
    assert [finding.place.line for finding in gathered.notes.kept] == list(range(1501, 2501))


def test_several_sessions_in_several_processes(session: Source, tmp_path: Path) -> None:
    others = [source_of(tmp_path / "small.jsonl", SPILLED[2]), source_of(tmp_path / "empty.jsonl", b"")]
    packed = source_of(tmp_path / "packed.jsonl.gz", gzip.compress(b"".join(LINES)))
    sources = [others[0], session, packed, others[1], session]
    outcomes = gather_in(Batch(2, least=0), *sources)
    assert outcomes == [(source, read_whole(source)) for source in sources]
    for source, gathered in outcomes:
        assert isinstance(gathered, Gathered)
        assert list(gathered.claims) == list(read_whole(source).claims)


def test_what_is_appended_meanwhile_is_read(session: Source) -> None:
    def append(_size: int) -> None:
        if session.size() < len(text) + len(SIZED):
            session.path.write_bytes(text + SIZED)

    text = session.path.read_bytes()
    ((_, gathered),) = gather_in(here(2, progress=append), session)
    assert gathered == read_whole(session)
    assert session.size() == len(text) + len(SIZED)


@pytest.mark.parametrize("text", [SPILLED[2] * 3, TEXT * 2000], ids=["smaller", "larger"])
def test_session_that_is_replaced_meanwhile_is_read_anew(session: Source, text: bytes) -> None:
    def replace(_size: int) -> None:
        if new.path.exists():
            new.path.replace(session.path)

    new = source_of(session.path.with_name("new"), text)
    ((_, gathered),) = gather_in(here(2, progress=replace), session)
    assert gathered == read_whole(session)
    assert isinstance(gathered, Gathered)
    assert gathered.lines == text.count(b"\n")


def test_session_that_is_cut_short_meanwhile_is_read_anew(session: Source) -> None:
    ((_, gathered),) = gather_in(here(2, progress=lambda _size: session.path.write_bytes(SPILLED[2])), session)
    assert gathered == read_whole(session)
    assert isinstance(gathered, Gathered)
    assert gathered.references == 1


@pytest.mark.parametrize("on_failure", OnFailure)
def test_the_first_error_of_a_session_is_told(session: Source, tmp_path: Path, on_failure: OnFailure) -> None:
    def remove(_size: int) -> None:
        session.path.unlink(missing_ok=True)

    other = source_of(tmp_path / "other.jsonl", SPILLED[0])
    outcomes = gather_in(here(2, progress=remove, on_failure=on_failure), session, other)
    assert isinstance(outcomes[0][1], UnreadableError)
    assert isinstance(outcomes[1][1], SessionkitError if on_failure is OnFailure.FAIL_FAST else Gathered)


def test_what_cannot_be_opened_fails_alone(session: Source, tmp_path: Path) -> None:
    folder = Source(tmp_path, Path("folder"))
    (_, failed), (_, gathered) = gather_in(here(2), folder, session)
    assert isinstance(failed, UnreadableError)
    assert gathered == read_whole(session)
