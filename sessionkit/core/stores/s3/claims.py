"""What stands in the object of a lock: a line for each process that holds it, or waits to have it alone."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, Self

from sessionkit.core.stores.base import LockKind
from sessionkit.core.stores.locks.holder import Holder
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

_parts = re.compile(rb"(held|wanted) ([0-9a-f]{16}) until=([0-9]{1,12}) (.+)").fullmatch


class State(Enum):
    """What a claim says."""

    HELD = "held"
    WANTED = "wanted"
    """By one who wants the lock alone, and keeps newcomers out for a moment."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One process and what it has; `token` tells apart the locks of one process. Worth nothing from `until` on, in seconds since 1970."""

    state: State
    token: str
    until: int
    holder: Holder

    @classmethod
    def parse(cls, line: bytes) -> Self | None:
        """Read a line; None if it is of no form of ours."""
        found = _parts(line)
        holder = Holder.parse(found[4]) if found else None
        return cls(State(found[1].decode()), found[2].decode(), int(found[3]), holder) if found and holder else None

    @property
    def line(self) -> bytes:
        """Line that is understood by `parse`, with its line feed."""
        return b"%b %b until=%d %b" % (self.state.value.encode(), self.token.encode(), self.until, self.holder.line)

    def stands(self, now: float) -> bool:
        """Whether it is worth anything: it has not expired, and its process is not known to have ended."""
        return now < self.until and not self.holder.has_ended

    def bars(self, kind: LockKind) -> bool:
        """Whether nobody else can have that lock meanwhile. Who waits bars only those who come to share it."""
        return self.holder.excludes(kind) if self.state is State.HELD else kind is LockKind.SHARED


def parse_claims(content: bytes) -> list[Claim]:
    """Read the object of a lock; ValueError if it holds anything else."""
    claims = [claim for line in content.splitlines() if (claim := Claim.parse(line))]
    if len(claims) != len(content.splitlines()):
        raise ValueError("it holds what sessionkit has not written")
    return claims


def content_of(claims: Iterable[Claim]) -> bytes:
    """Write what `parse_claims` reads."""
    return b"".join(claim.line for claim in claims)
