"""What may be written where something stands already."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import pytest

from sessionkit.core.files import Durability, Original
from sessionkit.errors import RefusedError, UnwritableError
from sessionkit.ops.outputs import Existing, NoOutput, Outcome, Output, in_place, new_file, rehearsed, standard_output
from tests.ops.runs import age, files, stamps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from typing_extensions import Buffer

    Way: TypeAlias = Callable[[Path, Existing], AbstractContextManager[Output]]

PIECES: list[Buffer] = [b"one\n", memoryview(b"two\nthree\n"), b"", bytearray(b"end")]
TEXT = b"one\ntwo\nthree\nend"


def fill(output: Output) -> None:
    output.write(PIECES[:1])
    output.write(iter(PIECES[1:]))


def broken_off(error: type[BaseException]) -> Iterator[bytes]:
    yield b"one\n"
    raise error


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "out.jsonl"


@dataclass(frozen=True)
class Standing:
    """What stands at the target, what may happen to it, and what does; None if it is refused."""

    held: bytes | None
    existing: Existing
    outcome: Outcome | None


STANDING = {
    "nothing": Standing(None, Existing.KEEP, Outcome.WRITTEN),
    "the same": Standing(TEXT, Existing.KEEP, Outcome.UNCHANGED),
    "the same, with force": Standing(TEXT, Existing.REPLACE, Outcome.UNCHANGED),
    "its beginning": Standing(b"one\ntw", Existing.KEEP, Outcome.WRITTEN),
    "an empty file": Standing(b"", Existing.KEEP, Outcome.WRITTEN),
    "more than that": Standing(TEXT + b"\nmore", Existing.KEEP, None),
    "something else": Standing(b"one\nTWO\n", Existing.KEEP, None),
    "something else of the same size": Standing(b"one\nTWO\nthree\nend", Existing.KEEP, None),
    "something else, with force": Standing(b"one\nTWO\n", Existing.REPLACE, Outcome.WRITTEN),
}


def durably(target: Path, existing: Existing) -> AbstractContextManager[Output]:
    return new_file(target, None, existing, Durability.SYNC)


def quickly(target: Path, existing: Existing) -> AbstractContextManager[Output]:
    return new_file(target, None, existing, Durability.NO_SYNC)


@pytest.mark.parametrize("case", STANDING.values(), ids=STANDING)
@pytest.mark.parametrize("way", [durably, quickly, rehearsed])
def test_what_may_be_replaced(target: Path, case: Standing, way: Way) -> None:
    if case.held is not None:
        target.write_bytes(case.held)
    before = stamps(target.parent)
    if case.outcome is None:
        with pytest.raises(RefusedError, match="another file stands here"), way(target, case.existing) as output:
            fill(output)
    else:
        with way(target, case.existing) as output:
            fill(output)
        assert (output.outcome, output.size) == (case.outcome, len(TEXT))
    if case.outcome is Outcome.WRITTEN and way is not rehearsed:
        assert files(target.parent) == {target.name: TEXT}
    else:
        assert stamps(target.parent) == before


def fifo(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def link(path: Path) -> None:
    path.with_name("elsewhere").write_bytes(b"precious")
    path.symlink_to("elsewhere")


def dangling_link(path: Path) -> None:
    path.symlink_to("elsewhere")


@pytest.mark.parametrize("make", [fifo, folder, link, dangling_link])
def test_only_a_regular_file_is_replaced(target: Path, make: Callable[[Path], None]) -> None:
    make(target)
    before = stamps(target.parent)
    with pytest.raises(UnwritableError), new_file(target, None, Existing.REPLACE, Durability.NO_SYNC) as output:
        fill(output)
    assert stamps(target.parent) == before


@pytest.mark.parametrize("existing", list(Existing))
@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_a_failure_leaves_what_stood_there(target: Path, existing: Existing, error: type[BaseException]) -> None:
    target.write_bytes(b"one\n")
    with pytest.raises(error), new_file(target, None, existing, Durability.SYNC) as output:
        output.write(broken_off(error))
    assert files(target.parent) == {target.name: b"one\n"}


@pytest.mark.parametrize(("held", "outcome"), [(TEXT, Outcome.UNCHANGED), (TEXT[:-1], Outcome.WRITTEN), (b"other", Outcome.WRITTEN)])
def test_in_place_an_equal_file_is_not_touched(target: Path, held: bytes, outcome: Outcome) -> None:
    target.write_bytes(held)
    age(target)
    before = stamps(target.parent)
    with target.open("rb") as file, in_place(Original(target, file.fileno(), target.stat()), Durability.SYNC) as output:
        fill(output)
    assert (output.outcome, output.size, target.read_bytes()) == (outcome, len(TEXT), TEXT)
    assert (stamps(target.parent) == before) == (outcome is Outcome.UNCHANGED)


def test_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    output = standard_output()
    fill(output)
    assert (capfdbinary.readouterr().out, output.size) == (TEXT, len(TEXT))


def test_no_output_counts() -> None:
    output = NoOutput()
    fill(output)
    assert output.size == len(TEXT)
