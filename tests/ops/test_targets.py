"""Where each session goes, and which goals make no sense."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sessionkit.errors import UsageError
from sessionkit.ops.sources import STDIN, Source
from sessionkit.ops.targets import Destination, InPlace, Mirror, OneFile, plan_transfers

STANDARD_INPUT = Source(STDIN, Path("stdin.jsonl"), is_stdin=True)
OUT = Path("out")


def source(path: str, relative: str = "") -> Source:
    return Source(Path(path), Path(relative or Path(path).name))


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("sources", "destination", "targets"),
    [
        ([source("home/a/x.jsonl", "a/x.jsonl"), source("y.jsonl")], Mirror(OUT), ["out/a/x.jsonl", "out/y.jsonl"]),
        ([source("x.jsonl.gz"), source("y.jsonl.zst")], Mirror(OUT), ["out/x.jsonl", "out/y.jsonl"]),
        ([STANDARD_INPUT], Mirror(OUT), ["out/stdin.jsonl"]),
        ([source("x.jsonl.gz")], OneFile(Path("new.jsonl")), ["new.jsonl"]),
        ([source("x.jsonl")], OneFile(STDIN), [None]),
        ([source("a/x.jsonl"), source("b/x.jsonl")], InPlace(), ["a/x.jsonl", "b/x.jsonl"]),
    ],
)
def test_targets(sources: list[Source], destination: Destination, targets: list[str | None]) -> None:
    transfers = plan_transfers(sources, destination)
    assert [transfer.target and str(transfer.target) for transfer in transfers] == targets
    assert [transfer.source for transfer in transfers] == sources
    assert {transfer.is_in_place for transfer in transfers} == {isinstance(destination, InPlace)}


@pytest.mark.parametrize(
    ("sources", "destination", "what"),
    [
        ([source("a/x.jsonl"), source("b/x.jsonl")], Mirror(OUT), r"a/x\.jsonl and b/x\.jsonl would both be written to out/x\.jsonl"),
        ([source("x.jsonl.gz"), source("x.jsonl.zst")], Mirror(OUT), "would both be written"),
        ([source("x.jsonl"), source("y.jsonl")], OneFile(Path("z.jsonl")), "-o takes one session, and there are 2"),
        ([STANDARD_INPUT], InPlace(), "standard input cannot be changed in place"),
        ([source("x.jsonl")], OneFile(Path("y.jsonl.gz")), "the name of an archive"),
        ([source("x.jsonl")], OneFile(Path("y.jsonl.zst")), "the name of an archive"),
    ],
)
def test_usage_errors(sources: list[Source], destination: Destination, what: str) -> None:
    with pytest.raises(UsageError, match=what):
        plan_transfers(sources, destination)


@pytest.mark.parametrize(
    ("sources", "destination"),
    [
        pytest.param([source("in/x.jsonl")], Mirror(Path("in")), id="itself"),
        pytest.param([source("in/x.jsonl")], OneFile(Path("in/../in/x.jsonl")), id="itself by another path"),
        pytest.param([source("in/x.jsonl")], OneFile(Path("link.jsonl")), id="itself through a link"),
        pytest.param([source("link.jsonl")], OneFile(Path("in/x.jsonl")), id="what a link means"),
        pytest.param(
            [source("in/x.jsonl", "x.jsonl"), source("in/sub/x.jsonl", "sub/x.jsonl")], Mirror(Path("in/sub")), id="another source"
        ),
    ],
)
def test_no_source_is_written_over(tmp_path: Path, sources: list[Source], destination: Destination) -> None:
    for name in ("in/x.jsonl", "in/sub/x.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "link.jsonl").symlink_to("in/x.jsonl")
    with pytest.raises(UsageError, match="would be written over"):
        plan_transfers(sources, destination)


def test_a_target_that_stands_and_is_no_source_is_left_to_the_writing(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "x.jsonl").touch()
    assert len(plan_transfers([source("x.jsonl"), STANDARD_INPUT], Mirror(OUT))) == 2
    assert os.listdir(tmp_path / "out") == ["x.jsonl"]  # noqa: PTH208  names are enough
