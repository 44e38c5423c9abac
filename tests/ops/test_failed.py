from __future__ import annotations

from pathlib import Path

import pytest

from sessionkit.errors import Place, SessionkitError
from sessionkit.ops.failed import Failed
from sessionkit.ops.sources import STDIN, Source

FILE = Source(Path("a.jsonl"), Path("a.jsonl"))
PIPE = Source(STDIN, Path("stdin.jsonl"), is_stdin=True)


@pytest.mark.parametrize(
    ("source", "place", "unnamed"),
    [
        (FILE, Place("a.jsonl", 3), ""),
        (FILE, Place("images/0.png"), "a.jsonl"),
        (FILE, None, "a.jsonl"),
        (PIPE, Place("standard input"), ""),
        (PIPE, Place("out/a.jsonl"), "standard input"),
    ],
)
def test_session_that_the_error_does_not_name(source: Source, place: Place | None, unnamed: str) -> None:
    assert Failed(source, SessionkitError("cannot be done", place=place)).unnamed == unnamed
