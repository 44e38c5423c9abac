"""What has to be the same when a batch goes on."""

from __future__ import annotations

import os
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit import __version__

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_FREE = frozenset({"lock_timeout", "durability"})
"""They change how long it takes, and not what is written; an entry says by itself what a power cut means for it."""


def terms_of(command: str, options: DataclassInstance) -> dict[str, str]:
    """Version, command and options, as words."""
    return {"version": __version__, "command": command, **_words(options)}


def _words(options: DataclassInstance) -> dict[str, str]:
    words = {}
    for field in fields(options):
        value = getattr(options, field.name)
        if is_dataclass(value) and not isinstance(value, type):
            words.update(_words(value))
        elif field.name not in _FREE:
            words[field.name] = _word(value)
    return words


def _word(value: object) -> str:
    match value:
        case Enum():
            return value.name.lower()
        case Path():
            return os.path.abspath(value)  # noqa: PTH100  Path.absolute keeps `..`
        case _:
            return str(value)
