"""Entries are what a JSON library reads, whatever media were left in the file meanwhile."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hypothesis import given

from sessionkit.core.entries import Entry, read_entries
from sessionkit.core.jsonl import split_values
from sessionkit.core.media.triage import LONG
from sessionkit.core.streams import open_source
from tests.laws.lines import sessions

if TYPE_CHECKING:
    from sessionkit.core.slices import Slice


@given(sessions)
def test_what_is_read_is_what_json_reads(session: bytes) -> None:
    lines = {number: objects for number, line in enumerate(session.split(b"\n"), 1) if (objects := _objects(line)) is not None}
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.jsonl")
        path.write_bytes(session)
        with open_source(path) as stream:
            found: dict[int, list[str]] = {number: [] for number in lines}
            for entry in read_entries(stream):
                if isinstance(entry, Entry) and entry.line in lines:
                    found[entry.line].append(_spelled(entry.value))
    assert found == lines


def _objects(line: bytes) -> list[str] | None:
    """Spell the objects of a line; None where not all of it is JSON."""
    try:
        return [_spelled(value) for value in split_values(line) if isinstance(value, dict)]
    except ValueError:
        return None


def _spelled(value: object) -> str:
    """Write a value with all its media in it; what was no UTF-8 is a question mark either way."""
    return re.sub(r"\\udc[89a-f][0-9a-f]|\\ufffd", "?", json.dumps(value, default=_in_full))


def _in_full(piece: Slice) -> str:
    assert piece.size >= LONG
    return piece.prefix + piece.read()
