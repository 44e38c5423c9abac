from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from sessionkit.providers.vision import NO_CATALOG, read_catalog, sees_by_name

if TYPE_CHECKING:
    from sessionkit.core.model import Json

SEE = """
claude-3-haiku-20240307 claude-4-sonnet claude-opus-4-8 claude-sonnet-5 claude-haiku-4-5 claude-fable-5
gpt-4o gpt-4o-mini gpt-4.1-mini gpt-4-turbo-2024-04-09 gpt-5 gpt-5.2-codex gpt-6-astra o1 o1-pro o3 o4-mini computer-use-preview
gemini-2.5-pro gemini-3.1-pro-preview gemini-live-2.5-flash gemma-3-27b-it
qwen-vl-max qwen2-vl-7b qwen2.5-vl-72b-instruct qwen3-vl-plus qwen3.5-plus qwen3.6-plus
grok-4 grok-2-vision-1212 pixtral-12b llama-4-maverick llama-3.2-11b-vision-instruct llama-3.2-90b-vision-preview
us.anthropic.claude-sonnet-4-5-20250929-v1:0 global.anthropic.claude-opus-4-6-v1 anthropic.claude-3-haiku-20240307-v1:0
bedrock/eu.anthropic.claude-haiku-4-5-20251001-v1:0 us.amazon.nova-pro-v1:0 us.meta.llama4-scout-17b-instruct-v1:0
sonnet opus haiku opusplan sonnet[1m] gpt-4-vision-preview chatgpt-4o-latest gemma3:27b mistral-medium-3.1 glm-4.5v kimi-k2.5 llava:13b
openai/gpt-5 Claude-Opus-5 meta-llama/llama-4-scout
"""
BLIND = """
claude-2.1 claude-instant-1.2
gpt-3.5-turbo gpt-4 gpt-4-0613 gpt-4-32k o1-mini o1-preview-2024-09-12 o3-mini gpt-oss-120b
gemini-1.0-pro gemma-2-9b-it gemma-1.1-7b
qwen3-coder-plus qwen-max qwen3-32b
grok-3-mini deepseek-chat mixtral-8x7b
anthropic.claude-v2:1 us.amazon.nova-micro-v1:0 gemma-3-1b-it glm-4.6 kimi-k2-thinking grok-code-fast-1 llama-3.3-70b
openrouter/deepseek/deepseek-r1
"""


@pytest.mark.parametrize("model", SEE.split())
def test_models_that_see(model: str) -> None:
    assert sees_by_name(model) is True


@pytest.mark.parametrize("model", BLIND.split())
def test_models_that_do_not(model: str) -> None:
    assert sees_by_name(model) is False


@pytest.mark.parametrize("model", ["", "mock", "claude", "claude-5", "opus-mt", "us.gpt-5", "llama-3.2-3b", "my-gpt-5", "o5"])
def test_models_that_nobody_knows(model: str) -> None:
    assert sees_by_name(model) is None


PI: Json = {
    "providers": {
        "local": {"baseUrl": "http://localhost:1", "models": [{"id": "a", "input": ["text", "image"]}, {"id": "b", "input": ["text"]}]},
        "other": {"models": [{"id": "a", "input": []}, {"id": "silent"}]},
        "anthropic": {"baseUrl": "http://localhost:2"},
    }
}
LIST: Json = [
    {"provider": "local", "id": "a", "input": ["text", "image"]},
    {"provider": "local", "id": "b", "input": ["text"]},
    {"provider": "other", "id": "a", "input": [], "name": "A"},
]


@pytest.mark.parametrize("value", [PI, LIST], ids=["as Pi keeps it", "a list"])
def test_a_catalogue_knows_exactly_its_models(value: Json) -> None:
    catalog = read_catalog(value)
    asked = [("local", "a"), ("local", "b"), ("other", "a"), ("other", "silent"), ("local", "A"), ("", "a"), ("anthropic", "a")]
    assert [catalog.sees(*model) for model in asked] == [True, False, False, None, None, None, None]


def test_no_catalogue_knows_nothing() -> None:
    assert NO_CATALOG.sees("openai", "gpt-5") is None


BAD: list[tuple[Json, str]] = [
    (None, "neither"),
    ("models", "neither"),
    ({"models": []}, "neither"),
    ({"providers": []}, "neither"),
    ({"providers": {"local": []}}, "the provider 'local' has no list of models"),
    ({"providers": {"local": {"models": {}}}}, "the provider 'local' has no list of models"),
    ({"providers": {"local": {"models": [{"input": []}]}}}, "a model has no id"),
    ({"providers": {"local": {"models": ["a"]}}}, "a model has no id"),
    ([{"provider": "local"}], "a model has no id"),
    ([{"id": "a", "input": []}], "the model 'a' has no provider"),
    ([["local", "a"]], "a model has no id"),
]


@pytest.mark.parametrize(("value", "why"), BAD, ids=str)
def test_what_is_no_catalogue(value: Json, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        read_catalog(value)
