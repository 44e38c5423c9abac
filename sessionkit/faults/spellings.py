"""What stands where base64 belongs, or a data URL."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from sessionkit.core.base64 import encoded_size
from sessionkit.core.model import Inline, Stored, Uri
from sessionkit.core.pictures import MOST_BYTES
from sessionkit.core.sniff import BIN, SVG, Family
from sessionkit.faults.exhibits import Flaw, Form

if TYPE_CHECKING:
    from sessionkit.core.pictures import Facts
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit

_ADDRESSES: Final = frozenset({Form.URL, Form.NESTED_URL})
_LONGEST: Final = 1 << 12
"""Characters of a placeholder at most."""

_is_on_the_net = re.compile(r"https?:", re.IGNORECASE).match
_is_data_url = re.compile(r"data:", re.IGNORECASE).match
_is_placeholder = re.compile(
    r"\[.*\]|<.*>|\(.*\)|\{.*\}|[^\n]*\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic|heif|avif|svg|pdf|bin)", re.IGNORECASE | re.DOTALL
).fullmatch
"""A remark in brackets, or the name of a file: neither is base64, or it is no picture."""


class Spelling(Enum):
    """How a medium is written down."""

    SOUND = auto()
    """Canonical base64, an asset, an address on the net; or there is something else wrong with the block."""
    EMPTY = auto()
    OTHER = auto()
    """Media in base64 that is not canonical, or whose prefix is too much or missing."""
    PLACEHOLDER = auto()
    """A remark, a path, or a reference that only some other program resolves."""
    DAMAGED = auto()
    """Neither base64 in any spelling, nor a placeholder."""


def spelling_of(case: Case, exhibit: Exhibit) -> Spelling:
    """Tell how a medium is written down; of blocks whose source is broken only where there is data in it."""
    if exhibit.flaw not in {Flaw.NONE, Flaw.NO_TYPE}:
        return Spelling.SOUND
    match exhibit.media.source:
        case Stored():
            return Spelling.SOUND
        case Uri(uri):
            return _of_address(exhibit, uri)
        case Inline(text) if not text.strip():
            return Spelling.EMPTY
        case _:
            facts = case.facts(exhibit)
            return _of_text(exhibit) if facts is None else _of_bytes(case, exhibit, facts)


def lacks_prefix(exhibit: Exhibit) -> bool:
    """Whether a string that should be an address is none."""
    is_address = isinstance(exhibit.media.source, Uri)
    return exhibit.form in _ADDRESSES and not exhibit.prefix and not is_address


def _of_address(exhibit: Exhibit, uri: str) -> Spelling:
    if exhibit.value is None or (_is_on_the_net(uri) and not exhibit.is_bare):
        return Spelling.SOUND
    return Spelling.DAMAGED if _is_data_url(uri) else Spelling.PLACEHOLDER


def _of_text(exhibit: Exhibit) -> Spelling:
    length = exhibit.base64_length()
    if length > encoded_size(MOST_BYTES):  # it was never looked at
        return Spelling.SOUND
    return Spelling.PLACEHOLDER if length <= _LONGEST and _is_placeholder(exhibit.text) else Spelling.DAMAGED


def _of_bytes(case: Case, exhibit: Exhibit, facts: Facts) -> Spelling:
    if facts.type is BIN and exhibit.base64_length() <= _LONGEST and _is_placeholder(exhibit.text):
        return Spelling.PLACEHOLDER
    is_medium = facts.type is not SVG and facts.type.family in {Family.IMAGE, Family.DOCUMENT}
    is_odd = case.pictures.misspelling(exhibit.media) is not None or lacks_prefix(exhibit) or (exhibit.prefix != "" and exhibit.is_bare)
    return Spelling.OTHER if is_medium and is_odd else Spelling.SOUND
