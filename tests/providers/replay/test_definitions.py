"""Definitions of tools as an interface takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.providers import PROVIDERS, provider_of
from sessionkit.providers.base import Prompt, Target, Tool
from sessionkit.providers.replay.definitions import settle_tools
from tests.providers.prompts import sent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.providers.replay import Note


def told(notes: Iterable[Note]) -> list[str]:
    return list(map(str, notes))


def test_of_a_name_the_latest_counts_in_the_place_of_the_first() -> None:
    tools, notes = settle_tools([Tool("a", "1", {}), Tool("b", None, {}), Tool("a", "2", {}), Tool("a", "3", {})], provider_of("anthropic"))
    assert [(tool.name, tool.description) for tool in tools] == [("a", "3"), ("b", None)]
    assert told(notes) == ["the tool a is defined 3 times: the latest definition is sent"]


def test_strictness_is_kept_where_there_is_any() -> None:
    strict = Tool("a", None, {"type": "object"}, strict=True)
    for provider in PROVIDERS:
        tools, notes = settle_tools([strict], provider)
        body = sent(provider, Prompt((), tools=tools), Target(provider.vendor, provider.api))
        assert ('"strict":true' in body) is (provider.id != "gemini")
        assert told(notes) == (["gemini knows no strict tools: a is sent as any other"] if provider.id == "gemini" else [])


def test_numbers_that_json_does_not_know() -> None:
    [tool], notes = settle_tools([Tool("a", None, {"maximum": float("inf")})], provider_of("gemini"))
    assert tool.schema == {"maximum": None}
    assert told(notes) == ["null stands for a number that JSON does not know at /maximum in the schema of the tool a"]
