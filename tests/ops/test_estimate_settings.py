from __future__ import annotations

import pytest

from sessionkit.errors import UsageError
from sessionkit.ops.estimate import Dimensions, Options, Over, resolve_image_tokens

USAGE_ERRORS = [
    (lambda: Options(profile="gpt"), "one of auto, all, neutral, pi, my-pi, qwen, codex, claude, gemini, measured"),
    (lambda: Options(over=Over.FAIL), "--window"),
    (lambda: Options(window=0), "tokens"),
    (lambda: Dimensions(provider="openai"), "openai-chat"),
    (lambda: Dimensions(model="mock"), "--by-dimensions"),
]


@pytest.mark.parametrize(("make", "hint"), USAGE_ERRORS)
def test_options_without_a_meaning(make: type[Options], hint: str) -> None:
    with pytest.raises(UsageError) as refused:
        make()
    assert hint in refused.value.hint


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


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "0x10", "many", "٣", "NaN"])
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
