"""Names of tools that an interface takes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessionkit.core.model import Origin, ToolCall, ToolResult
from sessionkit.providers import PROVIDERS
from sessionkit.providers.base import NameRule, Tool
from sessionkit.providers.replay.tool_names import Named, fit_names
from tests.providers.prompts import assistant, tool

FITS = {
    "anthropic": re.compile(r"[a-zA-Z0-9_-]{1,128}"),
    "openai-chat": re.compile(r"[a-zA-Z0-9_-]{1,64}"),
    "openai-responses": re.compile(r"[a-zA-Z0-9_-]{1,64}"),
    "codex-responses": re.compile(r"[a-zA-Z0-9_-]{1,64}"),
    "gemini": re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}"),
}
"""As the vendors document them."""
OPENAI, GEMINI = NameRule(), NameRule(inner="A-Za-z0-9_.:-", first="A-Za-z_")


def fitted(called: list[str], rule: NameRule = OPENAI, defined: tuple[str, ...] = ()) -> Named:
    """Fit the names of calls in turns of their own, with their results."""
    messages = [
        message
        for at, name in enumerate(called)
        for message in (assistant(ToolCall(str(at), name, {}, origin=Origin(line=at))), tool(ToolResult(str(at), name, ())))
    ]
    return fit_names(tuple(messages), tuple(Tool(name, None, {}) for name in defined), rule)


def names_in(named: Named) -> list[str]:
    return [block.name for message in named.messages for block in message.content if isinstance(block, ToolCall | ToolResult)]


@pytest.mark.parametrize(
    ("name", "rule", "new"),
    [
        ("read", OPENAI, "read"),
        ("mcp__a-b__c", OPENAI, "mcp__a-b__c"),
        ("x" * 64, OPENAI, "x" * 64),
        ("1st", OPENAI, "1st"),
        ("a.b:c", GEMINI, "a.b:c"),
        ("a.b:c", OPENAI, "a_b_c"),
        ("weird name!", OPENAI, "weird_name_"),
        ("1st", GEMINI, "_1st"),
        ("-", GEMINI, "_-"),
        ("", OPENAI, "unnamed_tool"),
        ("\u8bfb", OPENAI, "_"),
        ("x" * 65, OPENAI, "x" * 55 + "_9537c5fd"),
        ("x" * 65, NameRule(128), "x" * 65),
    ],
)
def test_names(name: str, rule: NameRule, new: str) -> None:
    named = fitted([name], rule, (name,))
    assert (names_in(named), [tool.name for tool in named.tools]) == ([new, new], [new])
    assert len(named.notes) == (name != new)


def test_what_fits_is_not_touched() -> None:
    messages = (assistant(ToolCall("a", "read", {})), tool(ToolResult("a", "read", ())))
    tools = (Tool("read", None, {}),)
    named = fit_names(messages, tools, OPENAI)
    assert (named.messages, named.tools) == (messages, tools)
    assert named.messages is messages


def test_other_tools_keep_other_names() -> None:
    named = fitted(["a b", "a.b", "a_b", "a b"], defined=("a,b",))
    assert names_in(named)[::2] == ["a_b_3", "a_b_4", "a_b", "a_b_3"]
    assert [tool.name for tool in named.tools] == ["a_b_2"]


def test_what_changes_is_told_once_at_its_first_call() -> None:
    named = fitted(["read", "a b", "a b"], defined=("a b",))
    assert list(map(str, named.notes)) == ["line 1: the interface takes no tool of the name 'a b': it is called a_b here"]


def test_a_call_without_a_name_has_that_of_its_result() -> None:
    messages = (assistant(ToolCall("a", "", {})), tool(ToolResult("a", "read", ())))
    assert names_in(fit_names(messages, (), OPENAI)) == ["read", "read"]


@settings(deadline=None)
@given(names=st.lists(st.text(max_size=3) | st.text(st.sampled_from("ab._ "), min_size=62, max_size=66), max_size=6))
@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda provider: provider.id)
def test_every_tool_gets_one_name_that_fits(provider: object, names: list[str]) -> None:
    rule = next(known for known in PROVIDERS if known is provider).names
    fits = FITS[next(known.id for known in PROVIDERS if known is provider)].fullmatch
    found = names_in(fitted(names, rule, tuple(dict.fromkeys(names))))
    assert found[::2] == found[1::2]
    assert all(map(fits, found))
    assert len(set(zip(names, found[::2], strict=True))) == len(set(names)) == len(set(found))
