"""One file per command: its options, and how they become a plan. What a command needs is imported when it runs."""

from __future__ import annotations

COMMANDS = (
    *("migrate", "restore", "verify", "gc", "scan", "estimate", "messages", "compact", "rehydrate"),
    *("check", "repair", "locate", "explain", "gallery"),
    *("prepare", "truncate"),
)
"""Each has a module here, with a function of that name."""
