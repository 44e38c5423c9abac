"""What a batch tells of a session that it could not do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sessionkit.errors import SessionkitError
    from sessionkit.ops.sources import Source


@dataclass(frozen=True, slots=True)
class Failed:
    """A session that could not be done, and why."""

    source: Source
    error: SessionkitError
