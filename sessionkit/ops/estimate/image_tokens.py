"""The tokens of an image, where somebody sets them: which setting wins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass
from sessionkit.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = "SESSIONKIT_IMAGE_TOKENS"
QWEN_VARIABLE = "QWEN_IMAGE_TOKEN_ESTIMATE"
"""qwen-code's own variable, which counts for its profile only."""

_QWEN = "qwen"
_WHOLE = r"\s*[0-9]{1,18}\s*"


@dataclass(frozen=True, slots=True)
class ImageTokens:
    """Settings of the constant, None where there is none. `qwen` is the raw text: what it says matters only to the profile that asks."""

    general: int | None = None
    qwen: str | None = None
    config: int | None = None

    def of(self, profile: str) -> int | None:
        """Choose for a profile, by its name; None leaves it to the profile. Raises UsageError for a bad value of qwen-code's variable."""
        if self.general is not None:
            return self.general
        if profile == _QWEN and self.qwen:
            return _parse(self.qwen, QWEN_VARIABLE)
        return self.config


def resolve_image_tokens(flag: int | None, environment: Mapping[str, str], config: int | None) -> ImageTokens:
    """Rank the settings: the flag, SESSIONKIT_IMAGE_TOKENS, QWEN_IMAGE_TOKEN_ESTIMATE (profile qwen only), the settings file, the profile.

    An empty variable is not set. Raises UsageError unless every value that counts is a whole number of at least 1.
    """
    variable = environment.get(VARIABLE)
    general = flag if flag is not None or not variable else _parse(variable, VARIABLE)
    for value, name in ((general, "--image-tokens"), (config, "image-tokens")):
        if value is not None and value < 1:
            raise _refusal(name, str(value))
    return ImageTokens(general, environment.get(QWEN_VARIABLE), config)


def _parse(text: str, name: str) -> int:
    if not re.fullmatch(_WHOLE, text) or int(text) < 1:
        raise _refusal(name, text)
    return int(text)


def _refusal(name: str, value: str) -> UsageError:
    return UsageError(f"bad value of {name}: {value}", why="not a whole number of at least 1", hint=f"set {name} to tokens, such as 1200")
