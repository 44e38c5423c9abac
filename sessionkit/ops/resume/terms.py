"""What has to be the same when a batch goes on, by the names that it has on the command line."""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from sessionkit import __version__
from sessionkit.dataclass import fields

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from _typeshed import DataclassInstance

Terms: TypeAlias = "Mapping[str, str]"
"""Version, command and options of a run, as words."""

_FREE = frozenset({"lock_timeout", "durability", "effect", "existing", "force", "liveness", "most"})
"""Fields that may differ when a batch goes on, since they do not change what is written.

`lock_timeout` and `durability` change how long it takes: what a power cut means for an entry, the entry says itself. `effect` is that of
a real run, as a rehearsal keeps no journal. The others lift a refusal (--force, --live, --max-output), so that the run that goes on can do
what was refused.
"""

_NAMES = {
    "choice": "--media",
    "least": "--min-bytes",
    "spelling": "--normalize",
    "native": "--native",
    "missing": "--leave-missing",
    "store": "--store",
}

_GIVEN = {"--normalize": "any", "--native": "inline", "--leave-missing": "leave"}
"""What options that take no value ask for."""

_GROUPS = frozenset({"policy", "writing"})
"""Fields that hold several options."""

_NOT_GIVEN = "not given"


def terms_of(command: str, options: DataclassInstance) -> dict[str, str]:
    """Version, command and options, as words."""
    return {"version": __version__, "command": command, **dict(_words(options))}


def differences(found: Terms, terms: Terms) -> list[str]:
    """Say in what a run differs from the one before. Of version and command only the first is told, and no options: they follow from it."""
    told = {
        name: f"{name} was {was}, and is {now}" for name in {**found, **terms} if (was := _of(found, name)) != (now := _of(terms, name))
    }
    return [told[name] for name in ("version", "command") if name in told][:1] or list(told.values())


def _of(terms: Terms, name: str) -> str:
    return terms.get(name, _NOT_GIVEN)


def _words(options: DataclassInstance) -> Iterator[tuple[str, str]]:
    for field in fields(options):
        value = getattr(options, field.name)
        if field.name in _GROUPS:
            yield from _words(value)
        elif field.name not in _FREE:
            yield _NAMES[field.name], _word(_NAMES[field.name], value)


def _word(name: str, value: object) -> str:
    match value:
        case None:
            return _NOT_GIVEN
        case Enum() if name in _GIVEN:
            return "given" if value.name.lower() == _GIVEN[name] else _NOT_GIVEN
        case Enum():
            return value.name.lower()
        case Path():
            return os.path.abspath(value)  # noqa: PTH100  Path.absolute keeps `..`
        case _:
            return str(value)
