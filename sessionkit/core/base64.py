"""Base64 that comes back exactly as it was, and the only door to pybase64."""

from __future__ import annotations

import binascii
import re
from enum import StrEnum
from typing import TYPE_CHECKING

import pybase64

if TYPE_CHECKING:
    from typing_extensions import Buffer

_STANDARD = bytes.maketrans(b"-_", b"+/")
_WHITE_SPACE = b" \t\n\v\f\r"
_ESCAPED_BREAK = re.compile(rb"\\[nrt]")
_LEADING_QUANTA = re.compile(rb"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


class Defect(StrEnum):
    """Why a text is not canonical base64, in words for a report."""

    EMPTY = "empty"
    LINE_BREAKS = "line breaks"
    URL_SAFE = "url-safe alphabet"
    MISSING_PADDING = "missing padding"
    STRAY_BITS = "stray bits in the last character"
    ESCAPED = "JSON escapes"
    NOT_BASE64 = "not base64"


class NotCanonicalError(ValueError):
    """The text cannot be decoded, or encoding what it decodes to would give another text."""

    def __init__(self, defect: Defect) -> None:
        super().__init__(defect)
        self.defect = defect


def decode_canonical(text: Buffer) -> bytes:
    """Decode RFC 4648 base64 for which `encode` gives exactly the same text; NotCanonicalError for any other, and for an empty one.

    Strict decoding accepts standard alphabet and whole, padded quanta only, so no text but one with stray bits in its last quantum
    is left to tell apart. Encoding that quantum again is the whole proof.
    """
    view = memoryview(text)
    if not view:
        raise NotCanonicalError(Defect.EMPTY)
    try:
        data = pybase64.b64decode(view, validate=True)
    except binascii.Error:
        raise NotCanonicalError(diagnose(bytes(view))) from None
    if pybase64.b64encode(data[-(len(data) % 3 or 3) :]) != view[-4:]:
        raise NotCanonicalError(Defect.STRAY_BITS)
    return data


def decode_lenient(value: bytes) -> bytes:
    """Decode a string's value that may have white space, the URL-safe alphabet, no padding or stray bits.

    NotCanonicalError with EMPTY or NOT_BASE64 for anything else.
    """
    text = value.translate(_STANDARD, _WHITE_SPACE)
    if not text:
        raise NotCanonicalError(Defect.EMPTY)
    digits = text.rstrip(b"=")
    padding = -len(digits) % 4
    if len(text) - len(digits) > padding:
        raise NotCanonicalError(Defect.NOT_BASE64)
    try:
        return pybase64.b64decode(digits + b"=" * padding, validate=True)
    except binascii.Error:
        raise NotCanonicalError(Defect.NOT_BASE64) from None


def decode_prefix(text: Buffer, size: int) -> bytes:
    """Decode at most the first `size` bytes (a multiple of 3), up to where the text stops being base64."""
    head = memoryview(text)[: encoded_size(size)]
    try:
        return pybase64.b64decode(head, validate=True)
    except binascii.Error:
        quanta = _LEADING_QUANTA.match(head)
        return pybase64.b64decode(quanta[0]) if quanta else b""


def diagnose(text: bytes) -> Defect:
    """Say why `decode_canonical` refused this text, as it stands in a line or as a value; the first defect of several."""
    if b"\\" in text:
        # A line of JSON can hold a line break only as an escape.
        return Defect.ESCAPED if b"\\" in _ESCAPED_BREAK.sub(b"", text) else Defect.LINE_BREAKS
    try:
        decode_lenient(text)
    except NotCanonicalError as error:
        return error.defect
    if text.translate(None, _WHITE_SPACE) != text:
        return Defect.LINE_BREAKS
    if b"-" in text or b"_" in text:
        return Defect.URL_SAFE
    return Defect.MISSING_PADDING if len(text) % 4 else Defect.STRAY_BITS


def encode(data: Buffer) -> bytes:
    """Encode with the standard alphabet and padding, on one line."""
    return pybase64.b64encode(data)


def encoded_size(size: int) -> int:
    """Count the characters that `size` bytes take when encoded."""
    return (size + 2) // 3 * 4
