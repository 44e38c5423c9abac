from __future__ import annotations

import base64
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.sniff import sniff
from sessionkit.errors import UnreachableError, UnreadableError
from sessionkit.ops import batch
from sessionkit.ops.batch import Batch
from sessionkit.ops.failed import Failed
from sessionkit.ops.findings import FindingKind, Severity
from sessionkit.ops.migrate import Options as MigrateOptions
from sessionkit.ops.migrate import Plan
from sessionkit.ops.sources import Descent, find_sources
from sessionkit.ops.targets import Mirror, plan_transfers
from sessionkit.ops.verify import Decoding, Options, Reading, StoreVerified, Verified, verify
from tests.pictures import picture

if TYPE_CHECKING:
    from collections.abc import Callable

    from sessionkit.core.stores.addresses import Bucket

FIXTURES = Path(__file__).parents[2] / "fixtures"
WRITTEN_BY_AGENTS = sorted(path for path in FIXTURES.glob("*/*/session.jsonl") if path.parts[-3] != "hostile")
PNG = picture("PNG")
JPEG = picture("JPEG", size=(40, 30))
CORRUPT = FindingKind.ASSET_CORRUPT
MISSING = FindingKind.ASSET_MISSING


def name_of(data: bytes, ext: str = "") -> AssetName:
    name = AssetName.of(data, sniff(data))
    return replace(name, ext=ext or name.ext)


def inline(*images: bytes) -> bytes:
    """A line of Pi with images."""
    blocks = [{"type": "image", "data": base64.b64encode(data).decode(), "mimeType": "image/png"} for data in images]
    return json.dumps({"type": "message", "message": {"role": "user", "content": blocks}}).encode() + b"\n"


def native(reference: str, **members: object) -> bytes:
    """A line with a reference that the agent wrote itself."""
    return json.dumps({"content": [{"type": "image", "asset_path": reference, **members}]}).encode() + b"\n"


def spill(sources: Path, target: Path) -> None:
    plan = Plan(tuple(plan_transfers(find_sources([str(sources)], Descent.RECURSIVE), Mirror(target))), MigrateOptions())
    assert not [result for result in plan.run(Batch()) if isinstance(result, Failed)]


@pytest.fixture
def spilled(tmp_path: Path) -> Path:
    """A folder of two sessions: a.jsonl names PNG on lines 1 and 2, and JPEG on line 2; b.jsonl names PNG."""
    inlined = tmp_path / "inline"
    inlined.mkdir()
    (inlined / "a.jsonl").write_bytes(inline(PNG) + inline(PNG, JPEG))
    (inlined / "b.jsonl").write_bytes(inline(PNG))
    spill(inlined, tmp_path / "spilled")
    return tmp_path / "spilled"


def verify_all(path: Path, options: Options | None = None, jobs: int = 1) -> list[Verified | Failed | StoreVerified]:
    return list(verify(find_sources([str(path)], Descent.RECURSIVE), options or Options(), Batch(jobs)))


def verify_one(path: Path, options: Options | None = None) -> Verified:
    (result,) = verify_all(path, options)
    assert isinstance(result, Verified)
    return result


def sessions(results: list[Verified | Failed | StoreVerified]) -> dict[str, Verified]:
    return {result.source.path.name: result for result in results if isinstance(result, Verified)}


def stores(results: list[Verified | Failed | StoreVerified]) -> list[StoreVerified]:
    return [result for result in results if isinstance(result, StoreVerified)]


def told(result: Verified | StoreVerified) -> list[tuple[str, str]]:
    """Line and pointer, or file name, with the kind of each finding."""
    return [
        (f"{finding.place.line}{finding.place.pointer}" if finding.place.line else Path(finding.place.path).name, str(finding.kind))
        for finding in result.findings.kept
    ]


@pytest.mark.parametrize("path", WRITTEN_BY_AGENTS, ids=lambda path: "/".join(path.parts[-3:-1]))
@pytest.mark.parametrize("reading", Reading)
def test_migrated_fixture_is_sound(path: Path, reading: Reading, tmp_path: Path) -> None:
    shutil.copytree(path.parent, tmp_path / "inline")
    spill(tmp_path / "inline", tmp_path / "spilled")
    if (path.parent / "images").is_dir():
        shutil.copytree(path.parent / "images", tmp_path / "spilled" / "images", dirs_exist_ok=True)
    session, store = verify_all(tmp_path / "spilled", Options(reading, Decoding.YES))
    assert isinstance(session, Verified)
    assert isinstance(store, StoreVerified)
    assert (told(session), told(store)) == ([], [])
    assert session.assets == store.assets > 0
    assert session.references >= session.assets
    assert (session.checked_bytes > 0) is (reading is Reading.ALL)


def test_counts(spilled: Path) -> None:
    first, second, store = verify_all(spilled)
    assert isinstance(first, Verified)
    assert isinstance(second, Verified)
    assert isinstance(store, StoreVerified)
    assert (first.references, first.assets, first.checked_bytes) == (3, 2, len(PNG) + len(JPEG))
    assert (second.references, second.assets, second.checked_bytes) == (1, 1, len(PNG))
    assert (store.assets, store.orphan_bytes) == (2, 0)


def delete(asset: Path) -> None:
    asset.unlink()


def flip(asset: Path) -> None:
    data = bytearray(asset.read_bytes())
    data[-1] ^= 1
    asset.write_bytes(data)


def truncate(asset: Path) -> None:
    os.truncate(asset, asset.stat().st_size // 2)


def make_pipe(asset: Path) -> None:
    asset.unlink()
    os.mkfifo(asset)


def make_link(asset: Path) -> None:
    moved = asset.rename(asset.parent.parent / "elsewhere")
    asset.symlink_to(moved)


def make_folder(asset: Path) -> None:
    asset.unlink()
    asset.mkdir()


@pytest.mark.parametrize(
    ("damage", "kind", "kind_by_head"),
    [
        (delete, MISSING, MISSING),
        (flip, CORRUPT, None),
        (truncate, CORRUPT, None),
        (make_pipe, CORRUPT, CORRUPT),
        (make_link, CORRUPT, CORRUPT),
        (make_folder, CORRUPT, CORRUPT),
    ],
)
def test_damage_is_told_at_every_reference(
    spilled: Path, damage: Callable[[Path], None], kind: FindingKind, kind_by_head: FindingKind | None
) -> None:
    damage(spilled / "images" / name_of(PNG).file_name)
    for reading, expected in ((Reading.ALL, kind), (Reading.HEADERS, kind_by_head)):
        found = sessions(verify_all(spilled, Options(reading)))
        places = {"a.jsonl": ["1/message/content/0", "2/message/content/0"], "b.jsonl": ["1/message/content/0"]}
        for session, each in places.items():
            assert told(found[session]) == [(place, str(expected)) for place in each if expected]


def test_finding_says_what_to_do(spilled: Path) -> None:
    (spilled / "images" / name_of(JPEG).file_name).unlink()
    (finding,) = sessions(verify_all(spilled))["a.jsonl"].findings.kept
    assert finding.severity is Severity.ERROR
    assert finding.asset == name_of(JPEG).reference
    assert str(finding.place) == f"{spilled}/a.jsonl:2 at /message/content/1"
    assert (finding.cause, bool(finding.hint)) == ("no file of this name", True)


def test_store_that_is_a_link_is_not_followed(spilled: Path) -> None:
    (spilled / "images").rename(spilled.parent / "elsewhere")
    (spilled / "images").symlink_to(spilled.parent / "elsewhere")
    results = verify_all(spilled)
    assert {kind for _, kind in told(sessions(results)["a.jsonl"])} == {"asset-unreadable"}
    (store,) = stores(results)
    assert store.findings.kept == []
    assert store.notes.counts == {FindingKind.ORPHANS_UNKNOWN: 1}


def test_store_may_be_named(spilled: Path) -> None:
    (spilled / "images").rename(spilled.parent / "elsewhere")
    results = verify_all(spilled, Options(store=spilled.parent / "elsewhere"))
    assert [told(session) for session in sessions(results).values()] == [[], []]
    assert stores(results) == []  # other sessions may use it


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "images/../../etc/passwd",
        f"images/{'A' * 64}.png",
        f"images/{'a' * 63}.png",
        f"images/{'a' * 64}.exe",
        f"./images/{'a' * 64}.png",
        "",
    ],
)
def test_odd_path(tmp_path: Path, path: str) -> None:
    (tmp_path / "s.jsonl").write_bytes(native(path))
    result = verify_one(tmp_path / "s.jsonl")
    assert told(result) == [("1/content/0", "odd-reference")]
    assert (result.references, result.findings.kept[0].asset) == (0, path)


@pytest.mark.parametrize(
    ("line", "kind", "cause"),
    [
        (inline(PNG), FindingKind.INLINE_MEDIA, "not migrated yet"),
        (inline(PNG).replace(b'", "mimeType', b'\\n", "mimeType'), FindingKind.INLINE_MEDIA, "line breaks"),
        (inline(PNG)[:-20] + b"\n", FindingKind.BAD_LINE, "not JSON: the line ends in the middle of a value"),
    ],
)
def test_note(tmp_path: Path, line: bytes, kind: FindingKind, cause: str) -> None:
    (tmp_path / "s.jsonl").write_bytes(b"{}\n" + line)
    result = verify_one(tmp_path / "s.jsonl")
    (note,) = result.notes.kept
    assert (note.kind, note.place.line, note.cause, note.severity) == (kind, 2, cause, Severity.NOTE)
    assert result.findings.kept == []


def test_asset_is_read_once_however_its_store_is_spelled(spilled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(spilled)
    ticked: list[int] = []
    sources = find_sources(["a.jsonl", str(spilled / "b.jsonl")], Descent.REFUSE_FOLDERS)
    results = list(verify(sources, Options(), Batch(progress=ticked.append)))
    assert [result.checked_bytes for result in sessions(results).values()] == [len(PNG) + len(JPEG), len(PNG)]
    assert sum(ticked) - sum(source.size() for source in sources) == len(PNG) + len(JPEG)


def test_very_many_findings_are_counted_and_the_first_are_kept(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(
        native("odd") + native(name_of(PNG).reference) * 1_500 + native(name_of(JPEG).reference) + native("odd")
    )
    findings = verify_one(tmp_path / "s.jsonl").findings
    assert findings.counts == {MISSING: 1_501, FindingKind.ODD_REFERENCE: 2}
    assert [finding.place.line for finding in findings.kept] == list(range(1, 1001))


def test_results_are_the_same_with_several_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "WORTH_A_PROCESS", 0)
    (tmp_path / "images").mkdir()
    for session in range(3):
        assets = [os.urandom(5 << 20) for _ in range(2)]
        for data in assets:
            (tmp_path / name_of(data).reference).write_bytes(data)
        (tmp_path / f"{session}.jsonl").write_bytes(b"".join(native(name_of(data).reference) for data in assets))
    flip(max((tmp_path / "images").iterdir()))
    one, two = verify_all(tmp_path), verify_all(tmp_path, jobs=2)
    assert one == two
    assert sum(len(session.findings.kept) for session in sessions(one).values()) == 1


def test_unreadable_session_fails_alone(spilled: Path) -> None:
    (spilled / "b.jsonl.gz").write_bytes(b"\x1f\x8b torn")
    (spilled / "b.jsonl").unlink()
    first, second, _ = verify_all(spilled)
    assert isinstance(first, Verified)
    assert isinstance(second, Failed)
    assert isinstance(second.error, UnreadableError)


def test_why_nothing_is_known_is_told_of_whichever_asset_it_was_found(tmp_path: Path, bucket: Bucket) -> None:
    """The last ones are not asked for any more."""
    names = sorted((name_of(b"%d" % number) for number in range(20)), key=lambda name: name.digest, reverse=True)
    (tmp_path / "a.jsonl").write_bytes(b"".join(native(name.reference) for name in names))
    (failed,) = verify_all(tmp_path, Options(store=replace(bucket, name="nowhere")))
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, UnreachableError)
