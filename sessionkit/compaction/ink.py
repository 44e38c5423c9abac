"""Ink: its way of cutting is not published; whole turns are kept, as my-pi-agent does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.base import Marker
from sessionkit.compaction.inputs.ink import transcript
from sessionkit.compaction.user_turns import UserTurns
from sessionkit.tokens.neutral import Neutral

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.compaction.base import Settings
    from sessionkit.core.model import Message


class Ink(UserTurns):
    """The images of what is kept stay; those of what is summarised are gone from the context, though still in the file."""

    name = "ink"
    formats = frozenset({"ink"})
    profile = Neutral.name
    marker = Marker.NONE

    def transcript(self, messages: Sequence[Message], settings: Settings) -> str:
        return transcript(messages, settings)
