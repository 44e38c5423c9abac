"""my-pi-agent: keeps whole turns, and copies what it keeps into the entry of the compaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.compaction.base import Marker
from sessionkit.compaction.inputs.my_pi import transcript
from sessionkit.compaction.user_turns import UserTurns
from sessionkit.core.model import Message, Role, Text
from sessionkit.providers.replay.summaries import summary_text
from sessionkit.tokens.my_pi import MyPi as Profile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.compaction.base import Settings

_FORMAT = "native"


class MyPi(UserTurns):
    """Media count when the tail is measured; upstream they are free, and a tail of images has no bound."""

    name = "my-pi"
    formats = frozenset({_FORMAT})
    profile = Profile.name
    marker = Marker.SHORT

    def transcript(self, messages: Sequence[Message], settings: Settings) -> str:
        return transcript(messages, settings)

    def frame(self, summary: str, tail: Sequence[Message]) -> tuple[Message, ...]:
        _ = tail
        return (Message(Role.USER, (Text(self.wire(summary)),), plain=True),)

    def wire(self, summary: str) -> str:
        return summary_text(summary, _FORMAT)
