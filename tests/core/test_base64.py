"""The codec gives back exactly the text it took, or says why it did not take it."""

from __future__ import annotations

import base64
import binascii

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.base64 import (
    Defect,
    NotCanonicalError,
    decode_canonical,
    decode_lenient,
    decode_prefix,
    diagnose,
    encode,
    encoded_size,
)

DIGITS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
NEAR_BASE64 = st.lists(st.sampled_from([*DIGITS, *b"=-_\n\r\t \\.\0\xff"])).map(bytes)

REFUSED = [
    (b"", Defect.EMPTY),
    (b"aGVs\nbG8=", Defect.LINE_BREAKS),
    (b"aGVs\r\nbG8=\r\n", Defect.LINE_BREAKS),
    (b"aGVs bG8=", Defect.LINE_BREAKS),
    (b"\taGVsbG8=", Defect.LINE_BREAKS),
    (rb"aGVs\nbG8=", Defect.LINE_BREAKS),
    (rb"aGVs\r\nbG8=", Defect.LINE_BREAKS),
    (b"-_-_", Defect.URL_SAFE),
    (b"_w", Defect.URL_SAFE),
    (b"aGVsbG8", Defect.MISSING_PADDING),
    (b"Zg", Defect.MISSING_PADDING),
    (b"Zg=", Defect.MISSING_PADDING),
    (b"Zh==", Defect.STRAY_BITS),
    (b"aGVsbG9=", Defect.STRAY_BITS),
    (rb"\/9j/", Defect.ESCAPED),
    (rb"\u002b\n9j", Defect.ESCAPED),
    (b"Z", Defect.NOT_BASE64),
    (b"=", Defect.NOT_BASE64),
    (b"====", Defect.NOT_BASE64),
    (b"Zm9v=", Defect.NOT_BASE64),
    (b"Zm9v====", Defect.NOT_BASE64),
    (b"Zg==Zm9v", Defect.NOT_BASE64),
    (b"Zg=v", Defect.NOT_BASE64),
    (b"<html>", Defect.NOT_BASE64),
    (b"blob:sha256:00", Defect.NOT_BASE64),
    (b"Zm\xff9", Defect.NOT_BASE64),
    (b"Zm9\0", Defect.NOT_BASE64),
    (b" \n", Defect.EMPTY),
]


@given(st.binary(min_size=1))
def test_what_is_encoded_decodes_and_is_what_the_standard_library_writes(data: bytes) -> None:
    text = encode(data)
    assert text == base64.b64encode(data)
    assert len(text) == encoded_size(len(data))
    assert decode_canonical(text) == data


def _comes_back(text: bytes) -> bool:
    try:
        return text != b"" and base64.b64encode(base64.b64decode(text, validate=True)) == text
    except binascii.Error:
        return False


@given(NEAR_BASE64 | st.binary())
def test_a_text_is_taken_exactly_when_it_comes_back(text: bytes) -> None:
    if _comes_back(text):
        assert encode(decode_canonical(text)) == text
    else:
        with pytest.raises(NotCanonicalError) as caught:
            decode_canonical(text)
        assert caught.value.defect is diagnose(text)


@given(st.binary(min_size=1, max_size=300), st.data())
def test_so_it_is_after_one_changed_character(data: bytes, draw: st.DataObject) -> None:
    text = bytearray(encode(data))
    text[draw.draw(st.integers(0, len(text) - 1))] = draw.draw(st.integers(0, 255))
    if _comes_back(bytes(text)):
        assert encode(decode_canonical(text)) == text
    else:
        with pytest.raises(NotCanonicalError):
            decode_canonical(text)


@pytest.mark.parametrize("last", [bytes(quantum) for quantum in ((a, b, 61, 61) for a in b"Aa/" for b in DIGITS)])
def test_only_four_of_64_last_digits_leave_no_stray_bits(last: bytes) -> None:
    if last[1] in b"AQgw":
        assert encode(decode_canonical(b"Zm9v" + last)) == b"Zm9v" + last
    else:
        with pytest.raises(NotCanonicalError, match="stray bits"):
            decode_canonical(b"Zm9v" + last)


@pytest.mark.parametrize(("text", "defect"), REFUSED)
def test_refused_with_the_reason(text: bytes, defect: Defect) -> None:
    with pytest.raises(NotCanonicalError, match=defect) as caught:
        decode_canonical(text)
    assert caught.value.defect is defect


def test_a_part_of_a_line_is_decoded_where_it_stands() -> None:
    line = b'{"data":"aGVsbG8="}'
    assert decode_canonical(memoryview(line)[9:17]) == b"hello"


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (b"aGVsbG8=", b"hello"),
        (b" aGVs\r\nbG8=\n", b"hello"),
        (b"aGVsbG8", b"hello"),
        (b"aGVsbG9=", b"hello"),
        (b"Zg=", b"f"),
        (b"-_-_", b"\xfb\xff\xbf"),
        (b"-_+/", b"\xfb\xff\xbf"),
    ],
)
def test_lenient_takes_every_repairable_defect(value: bytes, data: bytes) -> None:
    assert decode_lenient(value) == data


@pytest.mark.parametrize(("value", "defect"), [(text, defect) for text, defect in REFUSED if defect in (Defect.EMPTY, Defect.NOT_BASE64)])
def test_lenient_refuses_what_is_not_base64(value: bytes, defect: Defect) -> None:
    with pytest.raises(NotCanonicalError, match=defect):
        decode_lenient(value)


@given(st.binary(max_size=100))
def test_lenient_undoes_wrapping_alphabet_and_lost_padding(data: bytes) -> None:
    worn = base64.encodebytes(data).translate(bytes.maketrans(b"+/", b"-_"), b"=")
    if data:
        assert decode_lenient(worn) == data


@given(st.binary(max_size=100), st.sampled_from([3, 6, 30, 99, 102]))
def test_the_prefix_of_a_text_is_the_prefix_of_its_bytes(data: bytes, size: int) -> None:
    assert decode_prefix(encode(data), size) == data[:size]


@pytest.mark.parametrize(
    ("text", "prefix"),
    [(b"aGVs\nbG8=", b"hel"), (b"aGVsbG8", b"hel"), (b"no", b""), (b"\\/9j", b""), (b"Zg==Zm9v", b"f"), (b"aGVs<html>", b"hel")],
)
def test_the_prefix_ends_where_base64_ends(text: bytes, prefix: bytes) -> None:
    assert decode_prefix(text, 300) == prefix
