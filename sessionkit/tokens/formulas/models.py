"""Which formula a model takes, by its name. State of November 2026: vendors change models and multipliers."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from sessionkit.tokens.formulas.base import Detail
from sessionkit.tokens.formulas.claude import HIGH, STANDARD
from sessionkit.tokens.formulas.gemini import GeminiBound, GeminiTiles
from sessionkit.tokens.formulas.openai import PatchFormula, Step, TileFormula
from sessionkit.tokens.formulas.qwen import QWEN_2_5, QWEN_3

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from sessionkit.tokens.formulas.base import Formula

_LONGEST = 65_535
_LOW, _HIGH, _ORIGINAL = Detail.LOW, Detail.HIGH, Detail.ORIGINAL

_ASTRA = PatchFormula({_LOW: Step(512), _HIGH: Step(_LONGEST, 2500), _ORIGINAL: Step(_LONGEST)}, _ORIGINAL)
_GPT_5_6 = PatchFormula({_LOW: Step(512), _HIGH: Step(2048, 2500), _ORIGINAL: Step(_LONGEST)}, _ORIGINAL)
_GPT_5_5 = PatchFormula({_LOW: Step(512), _HIGH: Step(2048, 2500), _ORIGINAL: Step(6000, 10_000)}, _ORIGINAL)
_GPT_5_4 = PatchFormula({_LOW: Step(2048, 6144), _HIGH: Step(2048, 2500), _ORIGINAL: Step(6000, 10_000)}, _HIGH)
_GPT_5_2 = PatchFormula({_LOW: Step(2048, 6144), _HIGH: Step(2048, 6144)}, _HIGH)
_GPT_4_1_MINI = PatchFormula(_GPT_5_2.steps, _HIGH, Fraction(81, 50))

_OPENAI: dict[str, Formula] = {
    "gpt-6-astra": _ASTRA,
    "gpt-6-luna": _GPT_5_6,
    "gpt-5.6-sol": _GPT_5_6,
    "gpt-5.6-terra": _GPT_5_6,
    "gpt-5.6-luna": _GPT_5_6,
    "gpt-5.5": _GPT_5_5,
    "gpt-5.4": _GPT_5_4,
    "gpt-5.4-mini": _GPT_5_4,
    "gpt-5.4-nano": _GPT_5_4,
    "gpt-5.2": _GPT_5_2,
    "gpt-5.2-codex": _GPT_5_2,
    "gpt-5.1": TileFormula(70, 140),
    "gpt-5": TileFormula(70, 140),
    "gpt-4.1-mini": _GPT_4_1_MINI,
    "gpt-4.1": TileFormula(85, 170),
    "gpt-4o": TileFormula(85, 170),
    "gpt-4o-mini": TileFormula(2833, 5667),
    "o1": TileFormula(75, 150),
    "o1-pro": TileFormula(75, 150),
    "o3": TileFormula(75, 150),
    "computer-use-preview": TileFormula(65, 129),
}

PROVIDERS: Final[dict[str, str]] = {
    "anthropic": "claude-opus-5-5",
    "openai-chat": "gpt-5.5",
    "openai-responses": "gpt-5.5",
    "gemini": "gemini-3.1-pro-preview",
}
"""The model that stands for a provider where none is named."""

_DATE = re.compile(r"[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$")
_CLAUDE = re.compile(r"claude-(?:[a-z]+-)?(?P<major>\d{1,2})(?:[-.](?P<minor>\d{1,2}))?(?!\d)")
_GEMINI = re.compile(r"gemini-(?P<major>\d+)")
_QWEN = re.compile(r"qwen(?P<major>\d+)(?:\.\d+)?-?vl")
_FIRST_HIGH = (4, 7)
_LAST_TILES = 2


def formula_of(model: str) -> Formula | None:
    """Find the formula of a model; None for one that is not known. A vendor's prefix (`openai/`) and a date behind do not matter."""
    name = _DATE.sub("", model.lower().rpartition("/")[2])
    found = _OPENAI.get(name)
    return found or next((formula for find in _FAMILIES if (formula := find(name)) is not None), None)


def claude_version(model: str) -> tuple[int, int] | None:
    """Read (4, 7) from the name of Claude 4.7; None for other names."""
    found = _CLAUDE.search(model.lower())
    return (int(found["major"]), int(found["minor"] or 0)) if found else None


def _claude(name: str) -> Formula | None:
    version = claude_version(name)
    if version is None:
        return None
    return HIGH if version >= _FIRST_HIGH else STANDARD


def _gemini(name: str) -> Formula | None:
    found = _GEMINI.match(name)
    if found is None:
        return None
    return GeminiTiles() if int(found["major"]) <= _LAST_TILES else GeminiBound()


def _qwen(name: str) -> Formula | None:
    found = _QWEN.match(name)
    return None if found is None else _QWENS.get(found["major"])


_QWENS: dict[str, Formula] = {"2": QWEN_2_5, "3": QWEN_3}
_FAMILIES: tuple[Callable[[str], Formula | None], ...] = (_claude, _gemini, _qwen)
