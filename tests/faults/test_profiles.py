"""Which rules a session is held against."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Conversation, Message, Model, Role
from sessionkit.errors import UsageError
from sessionkit.faults.open import Options, open_case
from sessionkit.faults.profiles import PROFILES, Hosts, Rule, Weight, Wish, choose_profile, profile_of
from tests.faults.workshop import FIXTURES

if TYPE_CHECKING:
    from sessionkit.faults.profiles import Profile

MIB = 1 << 20


def answered(*apis: str) -> Conversation:
    models = (Model("somebody", api, "a model") if api else None for api in apis)
    return Conversation("pi", tuple(Message(Role.ASSISTANT, (), model=model) for model in models))


@pytest.mark.parametrize(
    ("case", "profile"),
    [
        ("claude-code/session", "claude-code"),
        ("codex/session", "codex"),
        ("qwen-code/compacted", "qwen-code"),
        ("gemini-cli/session", "gemini"),
        ("pi/session", "anthropic"),
        ("native/generation-b", "portable"),
        ("plain/anthropic", "portable"),
        ("ink/session", "portable"),
    ],
)
def test_of_sessions(case: str, profile: str) -> None:
    with open_case(FIXTURES / case / "session.jsonl") as found:
        assert found.profile == profile_of(profile)


@pytest.mark.parametrize(
    ("apis", "profile"),
    [
        (("anthropic-messages",), "anthropic"),
        (("anthropic-messages", "openai-completions"), "openai"),
        (("openai-responses", ""), "openai"),
        (("google-generative-ai",), "gemini"),
        (("bedrock-converse-stream",), "bedrock"),
        (("mistral-conversations",), "portable"),
        ((), "portable"),
    ],
)
def test_pi_by_its_newest_answer(apis: tuple[str, ...], profile: str) -> None:
    assert choose_profile(answered(*apis)).id == profile


NUMBERS = {
    # length, side, many_side, media, kept, request, request_target
    "claude-code": (5 * MIB, 8000, 2000, 100, 90, 32_000_000, 28_800_000),
    "bedrock": (5 * MIB, 8000, 2000, 100, 90, 20_000_000, 18_000_000),
    "codex": (None, None, None, None, None, 67_108_864, 60_397_977),
    "gemini": (None, None, None, 3600, 3240, 100_000_000, 90_000_000),
}


@pytest.mark.parametrize(("id_", "numbers"), NUMBERS.items())
def test_numbers(id_: str, numbers: tuple[int | None, ...]) -> None:
    one = profile_of(id_)
    assert (one.length, one.side, one.many_side, one.media, one.kept, one.request, one.request_target) == numbers


@pytest.mark.parametrize(("images", "side"), [(1, 8000), (20, 8000), (21, 2000)])
def test_many_images_must_be_smaller(images: int, side: int) -> None:
    assert profile_of("anthropic").side_among(images) == side
    assert profile_of("openai").side_among(images) is None


def rules(profile: Profile) -> set[str]:
    return {rule.value for rule in Rule if profile.minds(rule)}


def test_rules_by_profile() -> None:
    assert rules(profile_of("codex")) == {"address", "request"}
    assert rules(profile_of("qwen-code")) == {"decodes", "spelling", "type", "request"}
    assert "label" not in rules(profile_of("openai")) | rules(profile_of("gemini"))
    assert "named" in rules(profile_of("openai")) & rules(profile_of("gemini"))
    assert [one.id for one in PROFILES if one.weight is Weight.WARNED] == ["portable"]


@pytest.mark.parametrize(
    ("profile", "length"),
    [("anthropic", 10 * MIB), ("portable", 10 * MIB), ("claude-code", 5 * MIB), ("bedrock", 5 * MIB), ("openai", None)],
)
def test_the_vendors_own_host_takes_twice_as_much(profile: str, length: int | None) -> None:
    assert choose_profile(Conversation("pi", ()), Wish(profile, Hosts.OWN)).length == length


def test_a_wish_comes_first() -> None:
    wish = Wish("bedrock", media=600)
    with open_case(FIXTURES / "claude-code" / "session" / "session.jsonl", Options(wish=wish)) as case:
        assert case.profile == replace(profile_of("bedrock"), media=600)
        assert case.profile.kept == 540


def test_an_unknown_profile() -> None:
    with pytest.raises(UsageError, match="unknown profile: azure"):
        Wish("azure")
