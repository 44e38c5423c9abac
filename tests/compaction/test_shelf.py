from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sessionkit.compaction import STRATEGIES, strategy_of
from sessionkit.compaction.base import Settings
from sessionkit.errors import UsageError
from sessionkit.formats import FORMATS
from sessionkit.tokens import PROFILES

OWN = {"pi": "pi", "native": "my-pi", "qwen-code": "qwen-split", "gemini-cli": "qwen-split", "ink": "ink"}


@pytest.mark.parametrize("session_format", sorted({book.id for book in FORMATS}))
def test_each_format_has_a_strategy(session_format: str) -> None:
    assert strategy_of(session_format).name == OWN.get(session_format, "pi")


def test_each_strategy_counts_by_a_profile() -> None:
    assert {strategy.profile for strategy in STRATEGIES} <= {profile.name for profile in PROFILES}


@pytest.mark.parametrize("share", [0, 1, Fraction(-1, 2), Fraction(3, 2)])
def test_a_share_lies_between_nothing_and_all(share: Fraction) -> None:
    with pytest.raises(UsageError, match="fraction"):
        Settings(fraction=Fraction(share))


@pytest.mark.parametrize("name", ["keep_recent_tokens", "retain_rounds", "tool_chars", "threshold"])
def test_less_than_nothing_makes_no_sense(name: str) -> None:
    settings: dict[str, Any] = {name: -1}
    with pytest.raises(UsageError, match=f"{name.replace('_', '-')}: -1"):
        Settings(**settings)
