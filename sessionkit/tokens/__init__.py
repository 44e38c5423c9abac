"""What a conversation costs in tokens: a shelf of profiles, one for each agent's way to count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.tokens.base import Cost, Kind, Profile
from sessionkit.tokens.claude import Claude
from sessionkit.tokens.codex import Codex
from sessionkit.tokens.gemini import Gemini
from sessionkit.tokens.measured import Measured
from sessionkit.tokens.my_pi import MyPi
from sessionkit.tokens.neutral import Neutral
from sessionkit.tokens.pi import Pi
from sessionkit.tokens.qwen import Qwen

if TYPE_CHECKING:
    from typing import Final

__all__ = ["NEUTRAL", "PROFILES", "Cost", "Kind", "Profile", "profile_of"]

NEUTRAL: Final = Neutral()
PROFILES: Final[tuple[Profile, ...]] = (NEUTRAL, Pi(), MyPi(), Qwen(), Codex(), Claude(), Gemini(), Measured())
"""In the order of tables."""


def profile_of(session_format: str, profiles: tuple[Profile, ...] = PROFILES) -> Profile:
    """Find the profile of the agent that wrote a format; the neutral one where it has none."""
    return next((profile for profile in profiles if session_format in profile.formats), NEUTRAL)
