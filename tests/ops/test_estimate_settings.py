from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import UsageError
from sessionkit.ops.estimate import Dimensions, Options, Over, resolve_image_tokens
from sessionkit.tokens.gates import GATES, ClaudeGate, PiGate

if TYPE_CHECKING:
    from sessionkit.tokens.gates import Gate

USAGE_ERRORS = [
    (lambda: Options(profile="gpt"), "one of auto, all, neutral, pi, my-pi, qwen, codex, claude, gemini, measured"),
    (lambda: Options(over=Over.FAIL), "--window"),
    (lambda: Options(window=0), "tokens"),
    (lambda: Options(window=16_384, gate=PiGate()), "whole window"),
    (lambda: Options(window=33_000, gate=ClaudeGate()), "whole window"),
    (lambda: Dimensions(provider="openai"), "openai-chat"),
    (lambda: Dimensions(model="mock"), "--by-dimensions"),
]


@pytest.mark.parametrize(("make", "hint"), USAGE_ERRORS)
def test_options_without_a_meaning(make: type[Options], hint: str) -> None:
    with pytest.raises(UsageError) as refused:
        make()
    assert hint in refused.value.hint


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.name)
def test_a_window_that_is_just_large_enough_for_its_gate(gate: Gate) -> None:
    reading = Options(window=gate.kept_free + 2, gate=gate).gate.read(0, gate.kept_free + 2)
    assert reading.threshold is not None
    assert reading.threshold >= 1


SETTINGS = [
    # flag, SESSIONKIT_IMAGE_TOKENS, QWEN_IMAGE_TOKEN_ESTIMATE, settings file: tokens for neutral, for qwen
    ((1, "2", "3", 4), (1, 1)),
    ((None, "2", "3", 4), (2, 2)),
    ((None, None, "3", 4), (4, 3)),
    ((None, "", "", 4), (4, 4)),
    ((None, None, " 3 ", None), (None, 3)),
    ((None, None, None, None), (None, None)),
]


@pytest.mark.parametrize(("settings", "expected"), SETTINGS)
def test_settings_of_image_tokens(
    settings: tuple[int | None, str | None, str | None, int | None], expected: tuple[int | None, int | None]
) -> None:
    flag, variable, qwen, config = settings
    variables = {"SESSIONKIT_IMAGE_TOKENS": variable, "QWEN_IMAGE_TOKEN_ESTIMATE": qwen}
    resolved = resolve_image_tokens(flag, {name: value for name, value in variables.items() if value is not None}, config)
    assert (resolved.of("neutral"), resolved.of("qwen")) == expected


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "1_0", "0x10", "many", "٣", "NaN", "9" * 5000])
def test_bad_settings_of_image_tokens(text: str) -> None:
    with pytest.raises(UsageError, match="SESSIONKIT_IMAGE_TOKENS"):
        resolve_image_tokens(None, {"SESSIONKIT_IMAGE_TOKENS": text}, None)
    of_qwen = resolve_image_tokens(None, {"QWEN_IMAGE_TOKEN_ESTIMATE": text}, None)
    assert of_qwen.of("neutral") is None
    with pytest.raises(UsageError, match="QWEN_IMAGE_TOKEN_ESTIMATE"):
        of_qwen.of("qwen")


@pytest.mark.parametrize(("flag", "config"), [(0, None), (None, 0), (-5, 7)])
def test_less_than_one_token_is_refused(flag: int | None, config: int | None) -> None:
    with pytest.raises(UsageError, match="image-tokens"):
        resolve_image_tokens(flag, {}, config)
