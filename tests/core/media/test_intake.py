"""Why media stays, what is chosen, and what any spelling allows."""

from __future__ import annotations

import pytest

from sessionkit.core.base64 import encode
from sessionkit.core.media.intake import Cause
from sessionkit.core.media.policy import Choice, Policy, Spelling
from tests.laws.pipeline import restore_bytes, spill_bytes
from tests.pictures import ftyp, picture

PNG = encode(picture("PNG", size=(3, 2)))
JPEG = encode(picture("JPEG", size=(2, 2)) + b"\0")
BIG_JPEG = encode(picture("JPEG", size=(90, 60)))
PDF = encode(b"%PDF-1.7 document")
WAV = encode(b"RIFF\0\0\0\0WAVEfmt ")
HASH = b"ab" * 32


def image(text: bytes) -> bytes:
    return b'{"type":"image","data":"%b"}' % text


def wrapped(text: bytes, end: bytes) -> bytes:
    return end.join(text[start : start + 76] for start in range(0, len(text), 76))


CAUSES = [
    (image(wrapped(JPEG, rb"\n")), Cause.LINE_BREAKS),
    (image(wrapped(JPEG, rb"\r\n")), Cause.LINE_BREAKS),
    (image(wrapped(JPEG, b" ")), Cause.LINE_BREAKS),
    (image(JPEG + rb"\n"), Cause.LINE_BREAKS),
    (image(JPEG.replace(b"/", b"_").replace(b"+", b"-")), Cause.URL_SAFE),
    (image(b"QQ"), Cause.MISSING_PADDING),
    (image(b"QR=="), Cause.STRAY_BITS),
    (image(JPEG.replace(b"/", rb"\/")), Cause.ESCAPED),
    (image(JPEG.replace(b"/", rb"\u002F")), Cause.ESCAPED),
    (b'{"a":"%b"}' % BIG_JPEG.replace(b"/", rb"\/"), Cause.ESCAPED),
    (b'{"a":"%b"}' % wrapped(BIG_JPEG, rb"\n"), Cause.LINE_BREAKS),
    (b'{"a":"%b"}' % BIG_JPEG.replace(b"/", b"_").replace(b"+", b"-"), Cause.URL_SAFE),
    (b'{"a":"%b"}' % (BIG_JPEG[:-1] + b"=="), Cause.NOT_BASE64),
    (rb'{"a":"data:image\/png;base64,%b"}' % PNG, Cause.ESCAPED),
    (rb'{"images":["%b"]}' % JPEG.replace(b"/", rb"\/"), Cause.ESCAPED),
    (image(b"<html>"), Cause.NOT_BASE64),
    (image(PNG[:-3]), Cause.NOT_BASE64),
    (image(b"data:image/png,raw"), Cause.NOT_BASE64),
    (image(b"blob:sha256:" + HASH), Cause.FOREIGN),
    (image(b"blobtext:sha256:" + HASH), Cause.FOREIGN),
    (image(b"entire-asset:assets/img-%b.png" % HASH[:32]), Cause.FOREIGN),
    (b'{"a":"data:image/png;base64,entire-asset:assets/img-%b.png"}' % HASH[:32], Cause.FOREIGN),
    (image(b"asset://%b.png" % HASH), Cause.FOREIGN),
    (image(b"attachment://" + HASH[:32]), Cause.FOREIGN),
    (image(b"sha256:" + HASH), Cause.FOREIGN),
    (image(WAV), Cause.AUDIO_OR_VIDEO),
    (image(encode(ftyp("isom"))), Cause.AUDIO_OR_VIDEO),
    (b'{"a":"data:audio/wav;base64,QUJD"}', Cause.AUDIO_OR_VIDEO),
    (b'{"a":"data:Video/mp4;base64,QUJD"}', Cause.AUDIO_OR_VIDEO),
    (b'{"type":"image","data":"%b","x":1,"x":2}' % PNG, Cause.REPEATED_NAME),
    (b'{"type":"image","data":"%b","asset_prefix":1}' % PNG, Cause.REFERENCE_NAMES),
]
RESPELLED = [
    JPEG.replace(b"/", b"_").replace(b"+", b"-"),
    wrapped(JPEG, rb"\n"),
    JPEG.replace(b"/", rb"\/"),
    JPEG.rstrip(b"="),
    b" " + JPEG,
]


@pytest.mark.parametrize(("line", "cause"), CAUSES)
def test_media_stays_with_its_cause(line: bytes, cause: Cause) -> None:
    spilled = spill_bytes(line)
    assert spilled.text == line
    assert [found for _, found in spilled.causes] == [cause]


@pytest.mark.parametrize(
    "line",
    [
        image(b""),
        b'{"a":"data:image/png;base64,"}',
        rb'{"a":"data:image\/png;base64,"}',
        b'{"a":"%b"}' % PNG,
        b'{"a":"see data:;base64,%b"}' % PNG,
    ],
)
def test_no_media_and_no_cause(line: bytes) -> None:
    assert (spill_bytes(line).text, spill_bytes(line).causes) == (line, [])


def test_cause_has_line_and_pointer() -> None:
    (note,) = spill_bytes(b'{}\n\n{"a":[{"b/c":{"type":"image","data":"%b"}}]}' % WAV).ledger.notes
    assert (note.line, note.pointer) == (3, "/a/0/b~1c/data")


@pytest.mark.parametrize(
    ("policy", "count", "passed_over"),
    [
        (Policy(), 4, 0),
        (Policy(choice=Choice.IMAGES), 2, 2),
        (Policy(least=60), 2, 2),
        (Policy(least=10_000), 0, 4),
        (Policy(choice=Choice.IMAGES, least=600), 1, 3),
    ],
)
def test_choice_and_least_size(policy: Policy, count: int, passed_over: int) -> None:
    text = b"\n".join(map(image, (PNG, JPEG, PDF, encode(b"unknown"))))
    spilled = spill_bytes(text, policy)
    assert (spilled.ledger.sites, spilled.ledger.passed_over, spilled.causes) == (count, passed_over, [])


@pytest.mark.parametrize("text", RESPELLED)
@pytest.mark.parametrize(
    "shape", [b'{"type":"image","data":"%b"}', b'{"a":"data:image/jpeg;base64,%b"}', rb'{"a":"data:image\/jpeg;base64,%b"}']
)
def test_any_spelling_comes_back_in_the_canonical_one(shape: bytes, text: bytes) -> None:
    spilled = spill_bytes(shape % text, Policy(spelling=Spelling.ANY))
    assert (spilled.ledger.sites, spilled.ledger.respelled) == (1, 1)
    assert restore_bytes(spilled.text, spilled.assets) == shape.replace(rb"\/", b"/") % JPEG


@pytest.mark.parametrize(
    "prefix",
    [
        rb"data:\";base64,",
        rb"data:\\;base64,",
        rb"data:\ud800;base64,",
        rb"data:\n;base64,",
        rb"data:\u00e9;base64,",
        b"data:\xff\\/;base64,",
    ],
)
def test_a_prefix_that_needs_escapes_stays(prefix: bytes) -> None:
    line = b'{"a":"%b%b"}' % (prefix, PNG)
    spilled = spill_bytes(line, Policy(spelling=Spelling.ANY))
    assert (spilled.text, spilled.causes) == (line, [("/a", Cause.ESCAPED)])


def test_what_no_spelling_explains_stays() -> None:
    lines = image(b"<html>") + image(rb"\ud800") + image(b"blob:sha256:" + HASH)
    spilled = spill_bytes(lines, Policy(spelling=Spelling.ANY))
    assert spilled.text == lines
    assert [cause for _, cause in spilled.causes] == [Cause.NOT_BASE64, Cause.NOT_BASE64, Cause.FOREIGN]


def test_twins_of_a_line_are_one_asset_but_each_has_its_own_prefix() -> None:
    line = b'{"a":"data:x;base64,QUJD","b":"data:y;base64,QUJD","c":"data:audio/x;base64,QUJD","d":"data:z;base64,QUJE"}'
    spilled = spill_bytes(line)
    assert (spilled.ledger.sites, len(spilled.assets)) == (3, 2)
    assert spilled.causes == [("/c", Cause.AUDIO_OR_VIDEO)]
    assert restore_bytes(spilled.text, spilled.assets) == line
