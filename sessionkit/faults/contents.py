"""What bytes are that no vendor takes for a picture, in the words of reports and notes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeGuard

from sessionkit.core.jsonl import loads
from sessionkit.core.kinds import is_html, short_name
from sessionkit.core.pictures import Trouble
from sessionkit.core.sniff import BIN, SVG, Family
from sessionkit.faults.note import not_accepted
from sessionkit.faults.originals import held_bytes

if TYPE_CHECKING:
    from sessionkit.core.pictures import Facts
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit

_HEAD: Final = 1024
_SMALL: Final = 1 << 16
"""Bytes up to which it is tried whether something is JSON."""
_CUT_OFF: Final = "cut off"
_NO_TEXT = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def reason_of(case: Case, exhibit: Exhibit) -> str:
    """Name what the bytes are, for a note: `truncated PNG`, `HTML, not an image`, `type image/bmp is not accepted`."""
    look = case.look(exhibit)
    facts = case.facts(exhibit)
    if isinstance(look, Trouble) and _is_taken(facts, case):
        return f"{'truncated' if look.reason.startswith(_CUT_OFF) else 'unreadable'} {short_name(facts.type)}"
    return not_accepted(facts.type.mime) if facts and _is_picture(facts) else f"{_kind(exhibit, facts)}, not an image"


def cause_of(case: Case, exhibit: Exhibit) -> str:
    """Say what the bytes are, for a finding, with what is measured."""
    look = case.look(exhibit)
    facts = case.facts(exhibit)
    size = f"{facts.bytes:,} bytes" if facts else "no bytes"
    if isinstance(look, Trouble) and _is_taken(facts, case):
        return f"the {short_name(facts.type)} is {look.reason} ({size})"
    if facts and _is_picture(facts):
        return f"its {size} are of type {facts.type.mime}, which is not accepted"
    return f"its {size} are {_kind(exhibit, facts)}, not an image"


def _is_taken(facts: Facts | None, case: Case) -> TypeGuard[Facts]:
    return facts is not None and facts.type in case.profile.types


def _is_picture(facts: Facts) -> bool:
    return facts.type is not SVG and facts.type.family is Family.IMAGE


def _kind(exhibit: Exhibit, facts: Facts | None) -> str:
    return short_name(facts.type) if facts is not None and facts.type is not BIN else _text(held_bytes(exhibit) or b"")


def _text(data: bytes) -> str:
    """Tell texts from other bytes."""
    head = data[:_HEAD]
    if is_html(head):
        return "HTML"
    if not head or _NO_TEXT.search(head) or not _is_utf8(head):
        return "unknown bytes"
    return "JSON" if head.lstrip()[:1] in b"{[" and _is_json(data[:_SMALL]) else "text"


def _is_utf8(head: bytes) -> bool:
    """Whether it is UTF-8, up to a letter that the end of the head cuts."""
    return "�" not in head.decode("utf-8", "replace").rstrip("�")


def _is_json(data: bytes) -> bool:
    try:
        loads(data)
    except ValueError:
        return len(data) == _SMALL
    return True
