"""Restoring: every byte comes back, from wherever the spilled session is read and wherever it goes."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.base64 import encode
from sessionkit.core.sniff import PNG
from sessionkit.errors import AssetMissingError, ChangedError, InUseError, RefusedError
from sessionkit.ops.batch import Batch
from sessionkit.ops.guards import Force, Liveness
from sessionkit.ops.outputs import Existing, Outcome
from sessionkit.ops.restore import Options, survey
from sessionkit.ops.restore.options import Missing, Native
from sessionkit.ops.sources import STDIN
from sessionkit.ops.targets import InPlace, Mirror, OneFile
from sessionkit.ops.writing import Effect, Writing
from tests.ops.runs import (
    FIXTURES,
    age,
    error_of,
    files,
    large_bmp,
    message,
    migrate_one,
    native,
    png,
    restore_all,
    restore_one,
    stamps,
    text,
    write,
)

if TYPE_CHECKING:
    from tests.ops.conftest import Feed

INLINE = Options(native=Native.INLINE)
NATIVE = FIXTURES / "native" / "spilled" / "session.jsonl"
GENERATION_B = FIXTURES / "native" / "generation-b" / "session.jsonl"
LATE = b'{"role":"user","content":"late"}\n' + message(png(5))


@pytest.fixture
def spilled(session: Path, tmp_path: Path) -> Path:
    """The session of two pictures, migrated an hour ago."""
    migrate_one(session, Mirror(tmp_path / "out"))
    return tmp_path / "out" / session.name


@pytest.fixture
def back(tmp_path: Path) -> Path:
    return tmp_path / "back.jsonl"


def test_again_changes_nothing(spilled: Path, session: Path, back: Path) -> None:
    first = restore_one(spilled, OneFile(back))
    before = stamps(back.parent)
    second = restore_one(spilled, OneFile(back))
    assert (first.outcome, second.outcome, back.read_bytes()) == (Outcome.WRITTEN, Outcome.UNCHANGED, session.read_bytes())
    assert stamps(back.parent) == before
    assert first.ledger == second.ledger
    assert (first.ledger.read, first.ledger.written, first.ledger.references) == (spilled.stat().st_size, back.stat().st_size, 3)


@pytest.mark.parametrize("existing", list(Existing))
def test_another_file_is_replaced_only_with_force(spilled: Path, session: Path, back: Path, existing: Existing) -> None:
    write(back, b"another\n")
    options = Options(writing=Writing(existing=existing))
    if existing is Existing.KEEP:
        assert isinstance(error_of(restore_all([spilled], OneFile(back), options)), RefusedError)
        assert back.read_bytes() == b"another\n"
    else:
        restore_one(spilled, OneFile(back), options)
        assert back.read_bytes() == session.read_bytes()


@pytest.mark.parametrize("late", [LATE, LATE[:-1], b'{"torn":'])
def test_what_was_appended_after_the_spill_is_kept(spilled: Path, session: Path, back: Path, late: bytes) -> None:
    with spilled.open("ab") as file:
        file.write(late)
    assert restore_one(spilled, OneFile(back)).ledger.references == 3
    assert back.read_bytes() == session.read_bytes() + late


def test_in_place(spilled: Path, session: Path) -> None:
    assert restore_one(spilled, InPlace()).outcome is Outcome.WRITTEN
    assert spilled.read_bytes() == session.read_bytes()
    assert restore_one(spilled, InPlace()).outcome is Outcome.UNCHANGED


def test_in_place_asks_for_the_agent(spilled: Path, session: Path) -> None:
    age(spilled, 1)
    assert isinstance(error_of(restore_all([spilled], InPlace())), InUseError)
    restore_one(spilled, InPlace(), Options(writing=Writing(liveness=Liveness.ACCEPT)))
    assert spilled.read_bytes() == session.read_bytes()


@pytest.mark.parametrize("force", list(Force))
def test_codex_keeps_byte_offsets_of_its_sessions(tmp_path: Path, force: Force) -> None:
    source = FIXTURES / "codex" / "session" / "session.jsonl"
    migrate_one(source, Mirror(tmp_path))
    age(tmp_path / source.name)
    if force is Force.NO:
        assert isinstance(error_of(restore_all([tmp_path / source.name], InPlace())), RefusedError)
        assert b"asset_field" in (tmp_path / source.name).read_bytes()
    else:
        restore_one(tmp_path / source.name, InPlace(), Options(force=force))
        assert (tmp_path / source.name).read_bytes() == source.read_bytes()


@pytest.mark.parametrize("liveness", list(Liveness))
@pytest.mark.parametrize("destination", [Mirror, InPlace])
def test_a_session_that_grows_meanwhile_is_not_restored(
    tmp_path: Path, liveness: Liveness, destination: type[Mirror | InPlace]
) -> None:  # fmt: skip
    source = write(tmp_path / "home" / "session.jsonl", message(png(0)) + text(3 << 20) + message(png(1)))
    migrate_one(source, Mirror(tmp_path / "out"))
    spilled = tmp_path / "out" / source.name
    before = spilled.read_bytes()

    def append(_size: int) -> None:
        if spilled.stat().st_size == len(before):
            with spilled.open("ab") as file:
                file.write(LATE)

    options = Options(writing=Writing(liveness=liveness))
    goal = InPlace() if destination is InPlace else Mirror(tmp_path / "back")
    assert isinstance(error_of(restore_all([spilled], goal, options, Batch(progress=append))), ChangedError)
    assert spilled.read_bytes() == before + LATE
    assert files(tmp_path / "back") == {}


def test_references_of_the_agent_itself_are_kept(back: Path) -> None:
    ledger = restore_one(NATIVE, OneFile(back)).ledger
    assert back.read_bytes() == NATIVE.read_bytes()
    assert (ledger.native, ledger.references, ledger.left, ledger.written) == (3, 0, 0, NATIVE.stat().st_size)
    assert files(back.parent / "images") == files(NATIVE.parent / "images")


def test_they_are_kept_from_standard_input_too(workplace: Path, standard_input: Feed) -> None:
    shutil.copytree(NATIVE.parent / "images", workplace / "images")
    with standard_input(NATIVE.read_bytes()):
        restore_one(STDIN, OneFile(workplace / "new" / "back.jsonl"))
    assert files(workplace / "new" / "images") == files(NATIVE.parent / "images")


def test_references_of_the_agent_itself_are_put_in_on_request(tmp_path: Path, back: Path) -> None:
    ledger = restore_one(NATIVE, OneFile(back), INLINE).ledger
    expected = NATIVE.read_bytes()
    for asset in (NATIVE.parent / "images").iterdir():
        expected = expected.replace(b'"asset_path":"images/%b"' % asset.name.encode(), b'"data":"%b"' % encode(asset.read_bytes()))
    assert back.read_bytes() == expected
    assert (ledger.native, ledger.references, ledger.written) == (3, 3, len(expected))
    migrate_one(back, Mirror(tmp_path / "again"))
    assert set(files(tmp_path / "again" / "images").values()) == set(files(NATIVE.parent / "images").values())


def test_an_agents_reference_beside_data_stays(tmp_path: Path, back: Path) -> None:
    line = native(AssetName.of(png(0), PNG)).replace(b'"mime_type"', b'"data":"","mime_type"')
    session = write(tmp_path / "home" / "session.jsonl", line)
    assert restore_one(session, OneFile(back), INLINE).ledger.references == 0
    assert back.read_bytes() == line


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    """References that are remembered from the first reading; when there are more, the second one searches again."""
    monkeypatch.setattr(survey, "_MOST_REMEMBERED", 50)
    return 50


@pytest.mark.parametrize("more", [0, 1, 100])
def test_very_many_references(tmp_path: Path, back: Path, few: int, more: int) -> None:
    media = [b"GIF89a%d" % (number % 9) for number in range(few + more)]
    lines = [message(*media[start : start + 7]) for start in range(0, len(media), 7)]
    source = write(tmp_path / "home" / "session.jsonl", b"".join(lines))
    migrate_one(source, Mirror(tmp_path / "out"))
    ledger = restore_one(tmp_path / "out" / source.name, OneFile(back)).ledger
    assert back.read_bytes() == source.read_bytes()
    assert (ledger.references, ledger.written) == (few + more, back.stat().st_size)


@pytest.mark.parametrize("count", [1, 51])
@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("native_too", list(Native))
def test_what_is_left_is_left_in_both_searches(tmp_path: Path, back: Path, count: int, native_too: Native) -> None:
    source = write(tmp_path / "home" / "session.jsonl", message(b"GIF89a") * count + message(png(0)))
    migrate_one(source, Mirror(tmp_path / "out"))
    spilled = tmp_path / "out" / source.name
    lost = AssetName.of(png(0), PNG)
    with spilled.open("ab") as file:
        file.write(native(lost))
    (tmp_path / "out" / lost.reference).unlink()
    ledger = restore_one(spilled, OneFile(back), Options(native_too, Missing.LEAVE)).ledger
    assert (ledger.references, ledger.native, ledger.left) == (count, 1, 1 if native_too is Native.KEEP else 2)
    assert [note.line for note in ledger.notes] == [count + 1, count + 2][: ledger.left]
    assert back.read_bytes() == message(b"GIF89a") * count + b"".join(spilled.read_bytes().splitlines(keepends=True)[-2:])


@pytest.mark.parametrize("order", [(0, 0, 0), (0, 1, 0), (1, 1, 0)])
def test_twins_and_assets_that_are_read_twice(tmp_path: Path, back: Path, order: tuple[int, ...]) -> None:
    media = [large_bmp(), png(0)]
    source = write(tmp_path / "home" / "session.jsonl", b"".join(message(media[index], media[index]) for index in order))
    migrate_one(source, Mirror(tmp_path / "out"))
    assert restore_one(tmp_path / "out" / source.name, OneFile(back)).ledger.written == source.stat().st_size
    assert back.read_bytes() == source.read_bytes()


def test_standard_input_to_standard_output(
    session: Path, workplace: Path, standard_input: Feed, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:  # fmt: skip
    migrate_one(session, Mirror(workplace))
    spilled = (workplace / session.name).read_bytes()
    shutil.copytree(workplace / "images", workplace / "store")
    for options in (Options(), Options(store=Path("store"))):
        with standard_input(spilled):
            assert restore_one(STDIN, OneFile(STDIN), options).ledger.references == 3
        assert capfdbinary.readouterr().out == session.read_bytes()
        shutil.rmtree(workplace / "images", ignore_errors=True)


def test_standard_output_gets_nothing_if_it_would_not_get_all(
    spilled: Path, workplace: Path, standard_input: Feed, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:  # fmt: skip
    shutil.copytree(spilled.parent / "images", workplace / "images")
    write(workplace / "images" / AssetName.of(png(1), PNG).file_name, b"?" * len(png(1)))
    with standard_input(spilled.read_bytes()):
        error = error_of(restore_all([STDIN], OneFile(STDIN)))
    assert str(error.place) == "standard input:2 at /content/0"
    assert capfdbinary.readouterr().out == b""


def test_standard_input_to_a_file(session: Path, workplace: Path, standard_input: Feed, back: Path) -> None:
    migrate_one(session, Mirror(workplace))
    with standard_input((workplace / session.name).read_bytes()):
        restore_one(STDIN, OneFile(back))
    assert back.read_bytes() == session.read_bytes()
    (workplace / "images" / AssetName.of(png(1), PNG).file_name).unlink()
    with standard_input((workplace / session.name).read_bytes()):
        assert isinstance(error_of(restore_all([STDIN], OneFile(back))), AssetMissingError)
    assert back.read_bytes() == session.read_bytes()


def test_several_processes_restore_the_same(tmp_path: Path) -> None:
    sources = [write(tmp_path / "home" / f"{number}.jsonl", message(png(number)) + text(9 << 20)) for number in range(4)]
    quick = Options(writing=Writing())
    for source in sources:
        migrate_one(source, Mirror(tmp_path / "out"))
    results = restore_all([tmp_path / "out"], Mirror(tmp_path / "back"), quick, Batch(jobs=2))
    assert [getattr(result, "outcome", result) for result in results] == [Outcome.WRITTEN] * 4
    assert files(tmp_path / "back") == files(tmp_path / "home")


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_rehearsal_tells_the_same_and_writes_nothing(spilled: Path, back: Path, is_whole: bool) -> None:
    if not is_whole:
        (spilled.parent / "images" / AssetName.of(png(1), PNG).file_name).write_bytes(b"torn")
    before = stamps(spilled.parents[1])
    [rehearsed] = restore_all([spilled], OneFile(back), Options(writing=Writing(Effect.REHEARSE)))
    assert stamps(spilled.parents[1]) == before
    [done] = restore_all([spilled], OneFile(back))
    assert type(rehearsed) is type(done)
    assert getattr(rehearsed, "ledger", None) == getattr(done, "ledger", None)


def test_the_generation_of_an_agent_that_cannot_spill(tmp_path: Path, back: Path) -> None:
    migrate_one(GENERATION_B, Mirror(tmp_path / "out"))
    restore_one(tmp_path / "out" / GENERATION_B.name, OneFile(back), INLINE)
    assert back.read_bytes() == GENERATION_B.read_bytes()
