from __future__ import annotations

import gzip
import json
import shutil
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.pictures import Depth
from sessionkit.errors import UnreadableError, UsageError
from sessionkit.faults import FAULTS, is_cured_unasked
from sessionkit.faults.base import Severity, State
from sessionkit.faults.profiles import Hosts, Wish
from sessionkit.ops.batch import Batch
from sessionkit.ops.check import Checked, Kind, Options, check
from sessionkit.ops.failed import Failed
from sessionkit.ops.sources import Descent, find_sources
from sessionkit.ops.targets import Mirror
from tests.faults.recipe import recipes
from tests.faults.workshop import FIXTURES, RECORDED, Session
from tests.ops.runs import migrate_all
from tests.pictures import picture

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.ops.conftest import Feed

DEFAULT = Options()


def check_all(path: Path | str, options: Options = DEFAULT, batch: Batch | None = None) -> list[Checked | Failed]:
    return list(check(find_sources([str(path)], Descent.RECURSIVE), options, batch or Batch()))


def check_one(path: Path | str, options: Options = DEFAULT) -> Checked:
    (result,) = check_all(path, options)
    assert isinstance(result, Checked), result
    return result


def written(folder: Path, session: Session) -> Path:
    path = folder / "a.jsonl"
    path.write_bytes(session.content)
    return path


def ill(checked: Checked) -> set[str]:
    """Ids of the faults that count."""
    return {kind.fault for kind in checked.counts if kind.counts}


@pytest.fixture
def mislabelled(tmp_path: Path) -> Path:
    """A session of Pi with a JPEG under the label of a PNG."""
    return written(tmp_path, Session.recorded("pi/session").with_label(1, "image/png"))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
@pytest.mark.parametrize("depth", Depth)
def test_good_sessions_are_silent(path: Path, depth: Depth) -> None:
    checked = check_one(path, Options(depth=depth))
    assert (ill(checked), checked.unseen) == (set(), ())
    assert checked.format == path.parts[-3]


def test_all_that_the_shelf_finds_is_told_and_the_worst_comes_first(tmp_path: Path) -> None:
    recipe = next(recipe for recipe in recipes() if recipe.folder.name == "heal-marker-beside-a-label")
    checked = check_one(written(tmp_path, recipe.make()))
    assert ill(checked) == {"heal-marker", "wrong-media-type"}
    ranks = [(not finding.counts, list(Severity).index(finding.severity), finding.spot.line) for finding in checked.findings]
    assert ranks == sorted(ranks)
    assert checked.counts.total() == len(checked.findings)
    assert checked.curable == sum(finding.counts for finding in checked.findings if is_cured_unasked(finding)) > 0


def test_bytes_to_win_are_summed_up() -> None:
    checked = check_one(FIXTURES / "claude-code" / "compacted" / "session.jsonl")
    kind = Kind("twin-bytes", Severity.BLOATS, State.ASLEEP)
    assert checked.won[kind] == sum(finding.bytes_won for finding in checked.findings if finding.fault == "twin-bytes") > 0


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (Options(), {"wrong-media-type"}),
        (Options(frozenset({"wrong-media-type", "bom"})), {"wrong-media-type"}),
        (Options(frozenset({"bom"})), set()),
        (Options(ignore=frozenset({"wrong-media-type"})), set()),
        (Options(frozenset({"wrong-media-type"}), frozenset({"wrong-media-type"})), set()),
        (Options(wish=Wish("openai")), set()),
        (Options(wish=Wish(media=5)), {"wrong-media-type", "too-many-images"}),
    ],
    ids=["all", "selected", "another selected", "ignored", "ignored though selected", "by other rules", "fewer images allowed"],
)
def test_what_is_looked_for(mislabelled: Path, options: Options, expected: set[str]) -> None:
    assert ill(check_one(mislabelled, options)) == expected


def test_faults_that_are_not_selected_are_not_looked_for() -> None:
    assert [fault.id for fault in Options(frozenset({"bom", "nul-run"}), frozenset({"bom"})).faults] == ["nul-run"]
    assert Options().faults == FAULTS


@pytest.mark.parametrize("choose", [lambda ids: Options(select=ids), lambda ids: Options(ignore=ids)], ids=["select", "ignore"])
def test_an_unknown_fault_is_refused_with_its_neighbours(choose: Callable[[frozenset[str]], Options]) -> None:
    with pytest.raises(UsageError, match="unknown fault: wrong-media-typ\n  next: did you mean wrong-media-type"):
        choose(frozenset({"wrong-media-typ"}))


def test_the_vendors_own_host_takes_more(tmp_path: Path) -> None:
    png = picture("PNG") + bytes(4 << 20)  # NUL bytes behind its end
    path = written(tmp_path, Session.recorded("pi/session").with_image(1, png))
    assert ill(check_one(path)) == {"image-too-large"}
    assert ill(check_one(path, Options(wish=Wish(hosts=Hosts.OWN)))) == set()


def test_damage_within_a_picture_is_seen_where_it_is_decoded(tmp_path: Path) -> None:
    png = bytearray(picture("PNG", size=(200, 200)))
    at = png.index(b"IDAT")
    png[at + 60 : at + 100] = bytes(40)
    path = written(tmp_path, Session.recorded("pi/session").with_image(1, bytes(png)))
    assert ill(check_one(path)) == set()
    assert ill(check_one(path, Options(depth=Depth.PIXELS))) == {"undecodable-image"}


def test_assets_of_a_spilled_session_are_looked_at(tmp_path: Path, mislabelled: Path) -> None:
    migrate_all([mislabelled], Mirror(tmp_path / "spilled"))
    spilled = tmp_path / "spilled" / mislabelled.name
    assert ill(check_one(spilled)) == {"wrong-media-type"}
    (tmp_path / "spilled" / "images").rename(tmp_path / "elsewhere")
    assert check_one(spilled).unseen == ("9 of its 9 media are in files that cannot be read; `sessionkit verify` tells which",)
    named = check_one(spilled, Options(store=tmp_path / "elsewhere"))
    assert (ill(named), named.unseen) == ({"wrong-media-type"}, ())


@pytest.mark.parametrize("content", [b"hello\n", b"\0\0", b"[1, 2]\n3\n", b'{"a": ', b'{\n "a": 1,\n', b"\x89PNG\r\n\x1a\n"])
def test_what_is_no_session_fails(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.jsonl").write_bytes(content)
    (result,) = check_all(tmp_path)
    assert isinstance(result, Failed)
    assert isinstance(result.error, UnreadableError)
    assert str(result.error).startswith(f"{tmp_path}/a.jsonl: no record could be read")


@pytest.mark.parametrize("content", [b"", b"\n", b" \r\n\n"])
def test_nothing_is_wrong_with_an_empty_session(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.jsonl").write_bytes(content)
    checked = check_one(tmp_path)
    assert (checked.findings, checked.unseen) == ((), ())


def test_what_is_not_looked_at_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'{"a": 1}\n')
    (tmp_path / "b.jsonl").write_bytes(b'[{"role": "user", "parts": [{"text": "hi"}]}]')
    unknown, listed = (result.unseen[0] for result in check_all(tmp_path) if isinstance(result, Checked))
    assert unknown.startswith("its format is unknown")
    assert listed.startswith("it is a JSON list, not lines")


DOCUMENT = {
    "sessionId": "s",
    "projectHash": "h",
    "messages": [
        {"id": "1", "type": "user", "content": [{"text": "look\n"}, {"inlineData": {"mimeType": "image/png", "data": "%%%"}}]},
        {"id": "2", "type": "gemini", "content": "I see."},
    ],
}


@pytest.mark.parametrize("indent", [None, 2, "\t"])
def test_a_document_is_looked_at_as_one_line(tmp_path: Path, indent: int | str | None) -> None:
    path = tmp_path / "session.json"
    path.write_text(json.dumps(DOCUMENT, indent=indent))
    checked = check_one(path, Options(ignore=frozenset({"no-final-newline"})))
    (finding,) = checked.findings
    assert (finding.fault, finding.spot.line, finding.spot.pointer) == ("not-base64", 1, "/messages/0/content/1/inlineData/data")
    assert (finding.wire, checked.unseen) == ("contents.0.parts.1", ())


def test_a_torn_document_is_no_document(tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    path.write_text(json.dumps(DOCUMENT, indent=2)[:-1])
    (result,) = check_all(path)
    assert isinstance(result, Failed)


def test_archives_and_pipes_are_read_like_files(tmp_path: Path, mislabelled: Path, standard_input: Feed) -> None:
    raw = mislabelled.read_bytes()
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(raw))
    expected = check_one(mislabelled)
    assert check_one(packed).findings == expected.findings
    with standard_input(raw):
        assert check_one("-").findings == expected.findings


def test_findings_are_kept_while_there_is_room_and_all_are_counted(tmp_path: Path) -> None:
    blocks = [{"type": "text", "text": ""}] * 1200
    session = Session.recorded("pi/session").with_items(11, "/message/content", *blocks).with_label(1, "image/png")
    checked = check_one(written(tmp_path, session))
    assert len(checked.findings) == 1000
    assert checked.counts[Kind("empty-text", Severity.BRICKS, State.LIVE)] == 1200
    assert checked.curable == 1201


def test_several_processes_find_the_same(tmp_path: Path) -> None:
    for at, path in enumerate(RECORDED):
        shutil.copyfile(path, tmp_path / f"{at}.jsonl")
    (tmp_path / "bad.jsonl").write_bytes(b"hello")
    alone, together = (check_all(tmp_path, DEFAULT, batch) for batch in (Batch(), Batch(2, least=0)))
    assert together[:-1] == alone[:-1]
    assert isinstance(together[-1], Failed)


def test_every_byte_is_ticked_once(mislabelled: Path) -> None:
    ticks: list[int] = []
    check_all(mislabelled, DEFAULT, Batch(progress=ticks.append))
    assert sum(ticks) == mislabelled.stat().st_size
    assert len(ticks) == len(FAULTS) + 1
