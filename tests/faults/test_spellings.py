"""What stands where base64 belongs: another spelling, damage, a placeholder, nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.assets import AssetName
from sessionkit.core.base64 import encode
from sessionkit.core.sniff import JPEG as JPEG_TYPE
from sessionkit.core.stores.local import LocalStore
from sessionkit.faults import fault_of
from sessionkit.faults.base import Choices, Lengths, Severity, Uncured
from sessionkit.faults.open import Options
from tests.faults.media_bases import HTML, JPEG, alone, briefly_read, first_of, of_codex, of_pi, pasted
from tests.faults.surgery import changed, done, value
from tests.faults.workshop import Session, opened

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.base import Finding

ODD, DAMAGED, PLACEHOLDER, EMPTY = "noncanonical-base64", "not-base64", "placeholder-in-data", "image-empty"
ALL = (ODD, DAMAGED, PLACEHOLDER, EMPTY)

TEXT = first_of(briefly_read(), 1).text
DIGEST = "0123456789abcdef" * 4
TEXTS = {
    # what stands there: whose fault it is
    "canonical": (TEXT, None),
    "line breaks": ("\r\n".join(re.findall(".{1,64}", TEXT)), ODD),
    "URL-safe": (TEXT.replace("/", "_").replace("+", "-"), ODD),
    "a data URL": (f"data:image/jpeg;base64,{TEXT}", ODD),
    "no padding": (encode(JPEG + bytes(3 - len(JPEG) % 3 + 1)).decode().rstrip("="), ODD),
    "stray bits": (re.sub("A==$", "B==", encode(JPEG + bytes(3 - len(JPEG) % 3 + 1)).decode()), ODD),
    "one letter too few": (TEXT[:-3], DAMAGED),
    "a hole": (f"{TEXT[:100]}...{TEXT[200:]}", DAMAGED),
    "a hole of other letters": (f"{TEXT[:1500]} … 1.200 Zeichen für später … {TEXT[1600:]}", DAMAGED),
    "a data URL of text": ("data:image/svg+xml,%3Csvg/%3E", DAMAGED),
    "a remark": ("[image removed]", PLACEHOLDER),
    "a tag": ("<image 1: 320x200>", PLACEHOLDER),
    "a path": ("/home/user/Screenshot 2026-11-30.png", PLACEHOLDER),
    "a path of Windows": ("C:\\Users\\a.png", PLACEHOLDER),
    "our own reference": (f"images/{DIGEST}.png", PLACEHOLDER),
    "oh-my-pi": (f"blob:sha256:{DIGEST}", PLACEHOLDER),
    "kimi-code": (f"blobref:image/png;{DIGEST}", PLACEHOLDER),
    "entireio": ("entire-asset:assets/img-0123456789abcdef0123456789abcdef.png", PLACEHOLDER),
    "Inspect AI": ("attachment://0123456789abcdef0123456789abcdef", PLACEHOLDER),
    "agentsview": (f"asset://{DIGEST}.png", PLACEHOLDER),
    "an address": ("https://example.com/a.png", PLACEHOLDER),
    "nothing": ("", EMPTY),
    "white space": (" \n", EMPTY),
}


def found(session: Session, folder: Path) -> list[Finding]:
    with opened(folder, session) as case:
        return [finding for id_ in ALL for finding in fault_of(id_).find(case)]


def cured(session: Session, folder: Path, lengths: Lengths = Lengths.FREE) -> Session:
    with opened(folder, session) as case:
        findings = [finding for id_ in ALL for finding in fault_of(id_).find(case)]
        cures = (fault_of(finding.fault).cure(case, finding, Choices(lengths=lengths)) for finding in findings)
        return done(case, *cures, lengths=lengths)


@pytest.mark.parametrize(("text", "fault"), TEXTS.values(), ids=TEXTS)
def test_whose_fault_a_text_is(text: str, fault: str | None, tmp_path: Path) -> None:
    for session in (pasted(), of_pi()):
        findings = found(session.with_text(1, text), tmp_path)
        assert [finding.fault for finding in findings] == ([] if fault is None else [fault])


ESCAPED = {"slashes": (b"/", b"\\/"), "letters": (b"+", b"\\u002b")}


@pytest.mark.parametrize("escape", ESCAPED.values(), ids=ESCAPED)
def test_escapes_of_json_are_no_fault(escape: tuple[bytes, bytes], tmp_path: Path) -> None:
    session = briefly_read()
    line = session.lines[8].replace(TEXT.encode(), TEXT.encode().replace(*escape))
    assert line != session.lines[8]
    assert found(session.with_line(9, line), tmp_path) == []


@pytest.mark.parametrize("name", [name for name, (_, fault) in TEXTS.items() if fault == ODD])
def test_another_spelling_of_the_same_bytes(name: str, tmp_path: Path) -> None:
    text, _ = TEXTS[name]
    after = cured(briefly_read().with_text(1, text), tmp_path)
    assert found(after, tmp_path) == []
    message, twin = after.picture(1)
    assert message.text == twin.text
    assert message.text.startswith(TEXT[:20]) or message.text.startswith(encode(JPEG).decode()[:20])


def test_a_prefix_that_is_missing(tmp_path: Path) -> None:
    one = first_of(of_codex(), 1)
    assert one.value is not None
    session = of_codex().with_value(one.line, one.value, one.text)
    (finding,) = found(session, tmp_path)
    assert (finding.fault, finding.severity) == (ODD, Severity.BRICKS)
    assert cured(session, tmp_path).content == of_codex().content
    kept = cured(session, tmp_path, Lengths.KEPT)
    assert changed(session, kept) == {8}, "the equal picture on line 18 is in order"
    assert [len(line) for line in kept.lines] == [len(line) for line in session.lines]
    assert str(value(kept, 8, "/payload/content/4/text")).startswith("[image removed: no URL; image/jpeg 160x120, ")


@pytest.mark.parametrize("text", ["[image removed]", "", TEXT[:-3], f"blob:sha256:{DIGEST}"])
def test_a_healthy_twin_gives_its_bytes(text: str, tmp_path: Path) -> None:
    assert cured(alone(briefly_read(), 1, text), tmp_path).content == briefly_read().content


def test_a_twin_that_is_none_gives_nothing(tmp_path: Path) -> None:
    session = alone(briefly_read().with_image(1, HTML, "image/jpeg"), 1, "[image removed]")
    note = value(cured(session, tmp_path), 9, "/message/content/0/content/0/text")
    assert str(note).startswith("[image removed: not base64; its text kept as images/")


@pytest.mark.parametrize("reference", ["images/{}.jpg", "blob:sha256:{}", "asset://{}.png"])
def test_the_store_gives_what_a_placeholder_names(reference: str, tmp_path: Path) -> None:
    name = AssetName.of(JPEG, JPEG_TYPE)
    with LocalStore(tmp_path / "images") as store:
        store.put(name, JPEG)
        store.flush()
    good = pasted().with_image(1, JPEG)
    session = good.with_text(1, reference.format(name.digest))
    (finding,) = found(session, tmp_path)
    assert finding.cure == "bytes from the store"
    assert cured(session, tmp_path).content == good.content


@pytest.mark.parametrize("place", ["{0}", "{0}.jpg", "{1}/{0}", "{1}/{2}"])
def test_the_blobs_of_another_tool_give_what_a_placeholder_names(place: str, tmp_path: Path) -> None:
    digest = AssetName.of(JPEG, JPEG_TYPE).digest
    blob = tmp_path / "blobs" / place.format(digest, digest[:2], digest[2:])
    blob.parent.mkdir(parents=True)
    good = pasted().with_image(1, JPEG)
    blob.write_bytes(JPEG)
    with opened(tmp_path, good.with_text(1, f"blob:sha256:{digest}"), Options(blobs=tmp_path / "blobs")) as case:
        (finding,) = fault_of(PLACEHOLDER).find(case)
        assert finding.cure == "bytes from the store"
        assert done(case, fault_of(PLACEHOLDER).cure(case, finding, Choices())).content == good.content


@pytest.mark.parametrize(
    ("data", "obstacle"),
    [
        (None, "no blob {} in {}"),
        (JPEG + b"x", "the bytes of the blob {} in {} do not match its name"),
    ],
)
def test_what_the_blobs_do_not_give_stays_a_placeholder(data: bytes | None, obstacle: str, tmp_path: Path) -> None:
    digest = AssetName.of(JPEG, JPEG_TYPE).digest
    (tmp_path / "blobs").mkdir()
    if data is not None:
        (tmp_path / "blobs" / digest).write_bytes(data)
    with opened(tmp_path, pasted().with_text(1, f"blob:sha256:{digest}"), Options(blobs=tmp_path / "blobs")) as case:
        (finding,) = fault_of(PLACEHOLDER).find(case)
        assert (finding.cure, finding.obstacle) == ("", obstacle.format(digest, tmp_path / "blobs"))
        assert finding.counts
        assert fault_of(PLACEHOLDER).cure(case, finding, Choices()) == Uncured(finding.obstacle)


def test_an_asset_of_another_content_is_none(tmp_path: Path) -> None:
    name = AssetName("0" * 64, "jpg")
    (tmp_path / "images").mkdir()
    (tmp_path / name.reference).write_bytes(JPEG)
    (finding,) = found(pasted().with_text(1, name.reference), tmp_path)
    assert finding.cure == "note in its place"


def test_an_address_on_the_net_may_stand_where_one_belongs(tmp_path: Path) -> None:
    one = first_of(of_codex(), 3)
    assert one.value is not None
    assert found(of_codex().with_value(one.line, one.value, "https://example.com/a.png"), tmp_path) == []


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("", Severity.BRICKS),
        ("data:image/png;base64,", Severity.HARMLESS),
        ("[image]", Severity.BRICKS),
        ("data:image/png;base64,[image]", Severity.HARMLESS),
    ],
)
def test_codex_heals_what_is_a_url(text: str, severity: Severity, tmp_path: Path) -> None:
    one = first_of(of_codex(), 3)
    assert one.value is not None
    assert [finding.severity for finding in found(of_codex().with_value(one.line, one.value, text), tmp_path)] == [severity]


def test_an_empty_twin_is_our_own_cure(tmp_path: Path) -> None:
    session = briefly_read().with_value(9, "/toolUseResult/file/base64", "")
    assert found(session, tmp_path) == []
