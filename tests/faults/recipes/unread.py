"""Pictures that are named and were never read."""

from __future__ import annotations

from tests.faults.media_bases import read
from tests.faults.recipe import Recipe

DROPPED = "What is wrong in '/Users/me/Desktop/Screenshot 2026-11-30 at 10.00.00.png'?"

RECIPES = [
    Recipe("claude-code", "unread-picture", lambda: read().with_value(3, "/message/content", DROPPED)),
]
