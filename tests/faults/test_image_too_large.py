"""Images with too much base64; none of them is small enough to be kept as a file."""

from __future__ import annotations

import io
import random
from functools import cache
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from sessionkit.core.base64 import encode
from sessionkit.faults import fault_of
from sessionkit.faults.base import Choices, Resizing, Severity
from sessionkit.faults.open import NO_OPTIONS, Options
from sessionkit.faults.originals import held_bytes
from sessionkit.faults.profiles import Hosts, Wish
from tests.faults.media_bases import PNG, alone, briefly_read, of_codex, of_native, of_pi, pasted, queued
from tests.faults.sending import told
from tests.faults.surgery import done, value
from tests.faults.workshop import Session, opened

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.base import Finding

UNASKED = Choices()
LIMIT = 5 << 20
DIRECT = Options(wish=Wish(hosts=Hosts.OWN))


def of_length(length: int) -> bytes:
    """A small picture with NULs behind its end, whose base64 has so many characters."""
    return PNG + bytes(length // 4 * 3 - len(PNG))


@cache
def noise() -> bytes:
    """1200x1200 pixels that no encoding makes small without loss."""
    out = io.BytesIO()
    pixels = random.Random(7).randbytes(1200 * 1200 * 3)  # noqa: S311  it is not meant to be secret
    Image.frombytes("RGB", (1200, 1200), pixels).save(out, "PNG", compress_level=1)
    return out.getvalue()


def found(session: Session, folder: Path, options: Options = NO_OPTIONS) -> list[Finding]:
    with opened(folder, session, options) as case:
        return list(fault_of("image-too-large").find(case))


def cured(session: Session, folder: Path, choices: Choices = UNASKED) -> Session:
    with opened(folder, session) as case:
        fault = fault_of("image-too-large")
        after = done(case, *(fault.cure(case, finding, choices) for finding in fault.find(case)))
    with opened(folder, after) as case:
        assert list(fault.find(case)) == []
        assert told(case) == []
    return after


@pytest.mark.parametrize(("length", "count"), [(LIMIT, 0), (LIMIT + 4, 1)])
@pytest.mark.parametrize("session", [briefly_read(), pasted(), of_pi()], ids=["read", "pasted", "pi"])
def test_edges(session: Session, length: int, count: int, tmp_path: Path) -> None:
    findings = found(session.with_image(0, of_length(length)), tmp_path)
    assert [finding.severity for finding in findings] == [Severity.BRICKS] * count


@pytest.mark.parametrize(
    ("session", "options", "count"),
    [
        (briefly_read(), DIRECT, 1),  # the client's own rule
        (of_pi(), DIRECT, 0),
        (of_pi(), Options(wish=Wish("bedrock", Hosts.OWN)), 1),
        (of_codex(), Options(), 0),
    ],
    ids=["claude-code", "pi", "bedrock", "codex"],
)
def test_hosts_that_take_more(session: Session, options: Options, count: int, tmp_path: Path) -> None:
    assert len(found(session.with_image(0, of_length(LIMIT + 4)), tmp_path, options)) == count


def test_twice_as_much_is_too_much_on_every_host(tmp_path: Path) -> None:
    assert len(found(of_pi().with_image(0, of_length(2 * LIMIT + 4)), tmp_path, DIRECT)) == 1


def test_it_waits_where_nobody_knows_the_vendor(tmp_path: Path) -> None:
    (finding,) = found(of_native().with_image(1, of_length(LIMIT + 4)), tmp_path)
    assert (finding.severity, finding.option) == (Severity.HARMLESS, "image-too-large")


def test_a_twin_alone_does_no_harm(tmp_path: Path) -> None:
    session = briefly_read().with_value(9, "/toolUseResult/file/base64", encode(of_length(LIMIT + 4)).decode())
    assert found(session, tmp_path) == []


def test_the_message_alone(tmp_path: Path) -> None:
    session = alone(briefly_read(), 0, encode(of_length(LIMIT + 4)).decode())
    after = cured(session, tmp_path)
    assert after.picture(0)[1] == briefly_read().picture(0)[1], "the twin is another picture, and in order"
    assert len(after.lines[6]) < 20_000


@pytest.mark.parametrize(("session", "number"), [(briefly_read(), 0), (queued(), 2)], ids=["read", "queued"])
def test_it_becomes_smaller(session: Session, number: int, tmp_path: Path) -> None:
    after = cured(session.with_image(number, noise()), tmp_path)
    shown = {held_bytes(exhibit) for exhibit in after.picture(number)}
    (data,) = shown
    assert data is not None
    assert len(encode(data)) < 4_718_592


def test_a_note_where_no_picture_may_be_made_smaller(tmp_path: Path) -> None:
    data = of_length(LIMIT + 4)
    after = cured(briefly_read().with_image(0, data), tmp_path, Choices(resizing=Resizing.REFUSED))
    note = str(value(after, 7, "/message/content/0/content/0/text"))
    assert note.startswith(f"[image removed: over 5242880 base64 characters; image/png 48x32, {len(data)} bytes; kept as images/")
    assert value(after, 7, "/toolUseResult/file/base64") == ""


def test_a_note_where_nothing_helps(tmp_path: Path) -> None:
    head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x40\0\0\0\x40\0\x08\x02\0\0\0"  # 16384x16384, more than is ever decoded
    data = head + bytes(4) + b"\0\0\0\0IEND\xaeB`\x82" + bytes(4_000_000)
    with opened(tmp_path, briefly_read().with_image(0, data)) as case:
        fault = fault_of("image-too-large")
        (finding,) = fault.find(case)
        after = done(case, fault.cure(case, finding, Choices()))
    assert "over 5242880 base64 characters" in str(value(after, 7, "/message/content/0/content/0/text"))
