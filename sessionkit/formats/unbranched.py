"""Sessions that are one line of messages."""

from __future__ import annotations

from sessionkit.errors import Place, UsageError


def refuse_leaf(leaf: str | None, path: str, agent: str) -> None:
    """Raise UsageError if a branch is asked for."""
    if leaf is not None:
        why = f"a session of {agent} has no branches"
        raise UsageError(f"no branch ends with {leaf!r}", place=Place(path), why=why, hint="leave the entry away")
