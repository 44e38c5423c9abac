"""What a collection is told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass, field
from sessionkit.ops.writing import Writing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sessionkit.core.stores.addresses import Address


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Options:
    """How to collect.

    `roots` are more files and folders that may name assets; `store` is the asset folder, None for `images` beside the sessions.
    An asset that is younger than `grace` stays, whoever names it. Of `writing` only the effect, the durability and the waiting
    for locks count; `clock` tells the time.
    """

    roots: tuple[Path, ...] = ()
    store: Address | None = None
    grace: timedelta = timedelta(days=14)
    writing: Writing = field(default_factory=Writing)
    clock: Callable[[], datetime] = _now
