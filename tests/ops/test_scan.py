from __future__ import annotations

import base64
import gzip
import json
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.errors import UnreadableError
from sessionkit.ops import batch
from sessionkit.ops.batch import Batch
from sessionkit.ops.failed import Failed
from sessionkit.ops.migrate import Options, Plan
from sessionkit.ops.scan import ByteKind, LineFault, ScanKind, Scanned, Tally, scan
from sessionkit.ops.sources import Descent, find_sources
from sessionkit.ops.targets import Mirror, plan_transfers
from tests.pictures import picture

FIXTURES = Path(__file__).parents[2] / "fixtures"
PNG = base64.b64encode(picture("PNG")).decode()
JPEG = base64.b64encode(picture("JPEG")).decode()
PDF = base64.b64encode(b"%PDF-1.7" + bytes(2000)).decode()
WAV = base64.b64encode(b"RIFF\0\0\0\0WAVE" + bytes(2000)).decode()
BLOB = base64.b64encode(bytes(range(256)) * 8).decode()
HEX = "0123456789abcdef" * 4
IMAGES, TEXT, TEXT_BASE64, BLOBS = ByteKind.IMAGES, ByteKind.TEXT, ByteKind.TEXT_BASE64, ByteKind.BLOBS


def scan_one(path: Path) -> Scanned:
    (result,) = scan(find_sources([str(path)], Descent.RECURSIVE), Batch())
    assert isinstance(result, Scanned)
    return result


def tally(tmp_path: Path, raw: bytes) -> Tally:
    (tmp_path / "s.jsonl").write_bytes(raw)
    result = scan_one(tmp_path / "s.jsonl").tally
    assert result.bytes == len(raw)
    return result


def line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def image(data: str) -> dict[str, str]:
    return {"type": "image", "data": data, "mimeType": "image/png"}


def seen(result: Tally) -> list[tuple[str, int, str]]:
    return [(str(sighting.kind), sighting.line, sighting.pointer) for sighting in result.sightings]


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("[a-z]*/*/session.json*")), ids=lambda path: "/".join(path.parts[-3:-1]))
def test_fixture(path: Path) -> None:
    result = scan_one(path)
    assert result.tally.bytes == path.stat().st_size
    assert result.tally.lines == len(path.read_bytes().splitlines())
    if path.parts[-3] != "hostile":
        assert result.format == path.parts[-3]
        assert not result.tally.sightings
        assert result.kinds() <= {ScanKind.INLINE, ScanKind.DUPLICATES, ScanKind.REFERENCES, ScanKind.GLUED_LINES}  # qwen-code glues lines


def test_scan_agrees_with_migrate_and_sees_what_it_did(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "pi" / "compacted", tmp_path / "inline")
    before = scan_one(tmp_path / "inline").tally
    plan = Plan(tuple(plan_transfers(find_sources([str(tmp_path / "inline")], Descent.RECURSIVE), Mirror(tmp_path / "spilled"))), Options())
    assert not [result for result in plan.run(Batch()) if isinstance(result, Failed)]
    after = scan_one(tmp_path / "spilled").tally
    assert (before.sites, before.images, before.unique, before.references) == (10, 10, 6, 0)
    assert (after.sites, after.references, after.spilled) == (0, 10, set(before.assets))
    assert before.kinds[IMAGES] > 0 == after.kinds[IMAGES]
    assert after.has() == {ScanKind.REFERENCES}


@pytest.mark.parametrize(
    ("value", "kinds"),
    [
        (image(PNG), {IMAGES: len(PNG)}),
        ({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}, {IMAGES: len(PNG)}),
        ({"type": "document", "source": {"type": "base64", "data": PDF}}, {ByteKind.DOCUMENTS: len(PDF)}),
        (image(WAV), {ByteKind.OTHER_MEDIA: len(WAV)}),
        (image(BLOB), {ByteKind.OTHER_MEDIA: len(BLOB)}),
        (image("blob:sha256:" + HEX), {}),
        (image("https://example.com/a.png"), {}),
        ({"signature": BLOB}, {BLOBS: len(BLOB)}),
        ({"signature": BLOB[:900]}, {}),
        ({"text": BLOB}, {BLOBS: len(BLOB)}),
        ({"text": f"see {BLOB} and {BLOB}"}, {BLOBS: 2 * len(BLOB)}),
        ({"text": PDF}, {TEXT_BASE64: len(PDF)}),
        ({"text": f"see {PDF}"}, {TEXT_BASE64: len(PDF)}),
        ({"text": f"line\n{PDF}\nline"}, {TEXT_BASE64: len(PDF)}),
        ({"text": f"\u00e9{PDF}"}, {TEXT_BASE64: len(PDF)}),
        ({"text": f"\\{PDF}"}, {TEXT_BASE64: len(PDF)}),
        ({"text": json.dumps({"data": PDF})}, {TEXT_BASE64: len(PDF)}),
        ({"text": f"![](data:image/png;base64,{PNG})"}, {TEXT_BASE64: len(PNG) + 22}),
        ({"text": "url(DATA:image/gif;charset=x;BASE64,R0lGODdh)"}, {TEXT_BASE64: 40}),
        ({"text": "data:image/png;base64, is how it begins"}, {}),
        ({"arguments": {"image_url": f"data:image/png;base64,{PNG}"}}, {TEXT_BASE64: len(PNG) + 22}),
        ([image(PNG), {"text": f"data:image/png;base64,{JPEG} "}, image(JPEG)], {IMAGES: len(PNG + JPEG), TEXT_BASE64: len(JPEG) + 22}),
    ],
)
def test_bytes_by_kind(tmp_path: Path, value: object, kinds: dict[ByteKind, int]) -> None:
    raw = line(value)
    assert tally(tmp_path, raw).kinds == {**kinds, TEXT: len(raw) - sum(kinds.values())}


@given(
    st.lists(st.sampled_from([PNG, PDF, BLOB, "\n", " ", '"', "data:image/png;base64,", "\\", "é", '"data":"', "}{", "\0"]), max_size=12)
)
def test_every_byte_counts_once(tmp_path_factory: pytest.TempPathFactory, pieces: list[str]) -> None:
    raw = "".join(pieces).encode()
    result = tally(tmp_path_factory.getbasetemp(), raw + line({"text": "".join(pieces)}))
    assert min(result.kinds.values(), default=0) >= 0


def test_duplicates(tmp_path: Path) -> None:
    result = tally(tmp_path, line([image(PNG), image(PNG)]) + line(image(JPEG)) + line(image(PNG)))
    assert (result.sites, result.unique, result.duplication, result.repeated) == (4, 2, 2.0, 2 * len(PNG))
    assert list(result.firsts.values()) == [len(PNG), len(JPEG)]
    assert result.has() == {ScanKind.INLINE, ScanKind.DUPLICATES}


def test_biggest_lines(tmp_path: Path) -> None:
    texts = [line({"text": "x" * size}) for size in (10, 70, 30, 20, 60, 40)]
    result = tally(tmp_path, b"".join(texts) + line(image(PNG)))
    assert [big.line for big in result.biggest] == [7, 2, 5, 6, 3]
    assert result.biggest[0].kinds == {IMAGES: len(PNG), TEXT: len(line(image("")))}


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (PNG[:76] + "\n" + PNG[76:], "line breaks"),
        (PNG.rstrip("=") + "_-A", "url-safe alphabet"),
        (base64.b64encode(picture("PNG").ljust(1000)).decode().rstrip("="), "missing padding"),
        (PNG[:-4] + "AB==", "stray bits in the last character"),
        (PNG[:100] + "<cut>", "not base64"),
    ],
)
def test_non_canonical(tmp_path: Path, data: str, cause: str) -> None:
    result = tally(tmp_path, line({"content": [image(data)]}))
    assert result.stays == {cause: 1}
    assert seen(result) == [("non-canonical", 1, "/content/0/data")]
    assert result.has() == {ScanKind.INLINE, ScanKind.NON_CANONICAL}
    assert result.images == 1


def test_text_base64_is_located(tmp_path: Path) -> None:
    url = f"data:image/png;base64,{PNG}"
    result = tally(tmp_path, line({}) + line({"a": ["x", {"text": f"{url} {url}"}], "arguments": {"b/c": url}}) + b"torn " + url.encode())
    places = [(number, pointer) for kind, number, pointer in seen(result) if kind == "text-base64"]
    assert places == [(2, "/a/1/text"), (2, "/a/1/text"), (2, "/arguments/b~1c"), (3, "")]
    assert result.text_base64 == 4


GOOD = b'{"a":1}\n'


@pytest.mark.parametrize(
    ("raw", "faults", "where"),
    [
        (GOOD, {}, []),
        (GOOD + b'{"a":1}', {}, []),
        (GOOD + b"\n  \n", {}, []),
        (b'{"a":"\\ud83d\\u0000 \xe2\x80\xa8","b":NaN,"b":1e999}\n', {}, []),
        (b"[1]\n2\n", {}, []),
        (b'{"a":1}{"b":2}\n', {}, []),
        (GOOD + b"{oops}\n", {LineFault.NOT_JSON: 1}, [2]),
        (b'{"a":"\n' + GOOD, {LineFault.NOT_JSON: 1}, [1]),
        (GOOD + b'{"a":{"b":"c', {LineFault.TORN: 1}, [2]),
        (GOOD + b"\0\0\0" + GOOD + bytes(9) + b"\n", {LineFault.NUL_BYTES: 2}, [2, 3]),
        (b"\xef\xbb\xbf" + GOOD, {LineFault.BYTE_ORDER_MARK: 1}, [1]),
        (GOOD.replace(b"\n", b"\r\n") * 2, {LineFault.CRLF: 2}, [1, 2]),
        (GOOD + b'{"a":"\xe9"}\n' + '{"a":"é"}\n'.encode(), {LineFault.INVALID_UTF8: 1}, [2]),
        (b"{\xff\r\n", {LineFault.CRLF: 1, LineFault.INVALID_UTF8: 1, LineFault.NOT_JSON: 1}, [1, 1, 1]),
        (b"[" * 100_000 + b"]" * 100_000 + b"\n", {}, []),
        (b"[" * 100_000 + b"\n" + GOOD, {LineFault.NOT_JSON: 1}, [1]),
    ],
)
def test_faults_of_lines(tmp_path: Path, raw: bytes, faults: dict[LineFault, int], where: list[int]) -> None:
    result = tally(tmp_path, raw)
    assert result.faults == faults
    assert [number for _, number, _ in seen(result)] == where
    assert (ScanKind.BAD_LINES in result.has()) is bool(faults)


def test_offsets_are_those_of_the_session(tmp_path: Path) -> None:
    long = line("x" * 3_000_000)  # more than one block
    result = tally(tmp_path, long + b'{"a":"\xe9"}\n\0\0' + GOOD)
    start = len(long)
    assert [sighting.cause for sighting in result.sightings] == [
        f"invalid UTF-8: byte 0xe9 at byte {start + 6}",
        f"NUL bytes: 2 of them, the first at byte {start + 10}",
    ]


@pytest.mark.parametrize(
    ("raw", "counts"),
    [
        (b"", (0, 0, 0, 0)),
        (GOOD + b" \r\n\n" + GOOD, (4, 2, 2, 0)),
        (b'{}{"a":[{}]}\n[]\n1 2\n', (3, 0, 2, 2)),
    ],
)
def test_lines_and_entries(tmp_path: Path, raw: bytes, counts: tuple[int, int, int, int]) -> None:
    result = tally(tmp_path, raw)
    assert (result.lines, result.blank, result.entries, result.glued) == counts


def test_odd_reference(tmp_path: Path) -> None:
    result = tally(tmp_path, line({"a": {"type": "image", "asset_path": "images/../x.png"}}))
    assert seen(result) == [("odd-references", 1, "/a")]
    assert result.has() == {ScanKind.ODD_REFERENCES}


def test_sightings_are_bounded_and_counts_are_not(tmp_path: Path) -> None:
    result = tally(tmp_path, b"{oops}\n" * 1500 + line({"attachment": HEX[:32]}))
    assert result.faults == {LineFault.NOT_JSON: 1500}
    assert len(result.sightings) == 1001


@pytest.mark.parametrize("text", ["x", "é", "iVBORw0K", "\\n", "[", "\\u0000"])
def test_very_long_line(tmp_path: Path, text: str) -> None:
    raw = b'{"type":"user","message":{"content":"' + text.encode() * (8_000_000 // len(text)) + b'"}}\n' + GOOD
    result = tally(tmp_path, raw)
    assert (result.lines, result.entries, result.faults) == (2, 2, {})


def test_format_and_archive(tmp_path: Path) -> None:
    raw = (FIXTURES / "codex" / "session" / "session.jsonl").read_bytes()
    (tmp_path / "s.jsonl.gz").write_bytes(gzip.compress(raw))
    result = scan_one(tmp_path)
    assert (result.format, result.tally.bytes) == ("codex", len(raw))
    (tmp_path / "s.jsonl.gz").write_bytes(gzip.compress(raw)[:-100])
    (failed,) = scan(find_sources([str(tmp_path)], Descent.RECURSIVE), Batch())
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, UnreadableError)


def test_unknown_format_is_a_kind(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(GOOD)
    assert scan_one(tmp_path).kinds() == {ScanKind.UNKNOWN_FORMAT}


def test_document_on_many_lines_has_no_bad_lines(tmp_path: Path) -> None:
    document = json.dumps({"sessionId": "s", "messages": [{"type": "user", "content": "hi"}]}, indent=2)
    result = tally(tmp_path, document.encode())
    assert (result.entries, result.glued, result.faults) == (1, 0, {})
    assert tally(tmp_path, b"{\n" + GOOD).faults == {LineFault.NOT_JSON: 1}


def test_results_are_the_same_with_several_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "WORTH_A_PROCESS", 0)
    for name in "abc":
        (tmp_path / f"{name}.jsonl").write_bytes(line(image(PNG)) + line({"text": "x" * (5 << 20)}))
    sources = find_sources([str(tmp_path)], Descent.RECURSIVE)
    assert list(scan(sources, Batch(2))) == list(scan(sources, Batch()))


def test_recursion_limit_is_not_needed(tmp_path: Path) -> None:
    depth = sys.getrecursionlimit() * 3
    url = f"data:image/png;base64,{PNG}"
    raw = b'{"a":' * depth + line({"text": f" {url}"}).strip() + b"}" * depth + b"\n"
    result = tally(tmp_path, raw)
    assert seen(result) == [("text-base64", 1, "/a" * depth + "/text")]
