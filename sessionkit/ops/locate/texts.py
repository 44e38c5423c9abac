"""The text of a refusal, wherever it is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from sessionkit.core.files import unreadable
from sessionkit.errors import UsageError
from sessionkit.ops.locate.reading import MOST

STDIN: Final = "-"
_FILE: Final = "@"
_LONGEST_NAME: Final = 255
"""Bytes of a file's name at most."""


def text_of(word: str) -> str:
    """Take the text that a word is, or read the beginning of what it names: `-` standard input, `@FILE` a file.

    Raises UnreadableError, and UsageError for an empty text and for the bare name of a file.
    """
    match word[:1]:
        case "-" if word == STDIN:
            with open(0, "rb", closefd=False) as stdin:
                text = stdin.read(MOST).decode("utf-8", "replace")
        case "@":
            text = _read(Path(word.removeprefix(_FILE)))
        case _:
            text = word
            _refuse_file(word)
    if not text.strip():
        raise UsageError("the error is an empty text", hint="give what the provider said: --error TEXT, --error @FILE, or --error -")
    return text


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(MOST).decode("utf-8", "replace")
    except OSError as error:
        raise unreadable(path, error) from error


def _refuse_file(word: str) -> None:
    is_name = " " not in word and len(os.fsencode(word)) <= _LONGEST_NAME
    if is_name and Path(word).is_file():
        raise UsageError(f"--error {word}: this is a file", hint=f"--error {_FILE}{word} reads it")
