"""Limits of every interface: what is just allowed passes, and one more does not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Inline, Media, MediaKind, Origin
from sessionkit.core.pictures import Facts, Trouble
from sessionkit.core.pixels import Size
from sessionkit.core.sniff import BMP, GIF, HEIC, PDF, PNG
from sessionkit.providers import PROVIDERS, provider_of
from sessionkit.providers.body import Payload, Placed
from sessionkit.providers.checks import Excess, check
from sessionkit.providers.draft import draft
from sessionkit.providers.limits import LIMITS, Rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.core.sniff import MediaType
    from sessionkit.providers.body import Tree
    from sessionkit.providers.checks import Verdict

SMALL = Facts(PNG, Size(8, 8), 3, "a" * 64, is_animated=False)


def with_side(side: int) -> Facts:
    return replace(SMALL, size=Size(5, side))


def with_base64(characters: int) -> Facts:
    return replace(SMALL, bytes=characters // 4 * 3)


def of_type(media: MediaType, *, is_animated: bool = False) -> Facts:
    return replace(SMALL, type=media, is_animated=is_animated)


def image(number: int, facts: Facts) -> Payload:
    return Payload(Media(MediaKind.DOCUMENT if facts.type is PDF else MediaKind.IMAGE, Inline(str(number))))


def judged(provider: str, media: Sequence[Facts], model: str = "", extra: dict[str, Tree] | None = None) -> Verdict:
    """Check a body of one message, whose first block is a text."""
    book = provider_of(*provider.split("/"))
    blocks: list[Tree] = [{"type": "text", "text": "Look"}]
    blocks += [Placed({"source": {"data": image(at, facts)}}, Origin(line=at + 1)) for at, facts in enumerate(media)]
    members: dict[str, Tree] = {book.list_name: [{"content": blocks}], **(extra or {})}
    known = {str(at): facts for at, facts in enumerate(media)}

    def look(medium: Media) -> Facts | Trouble:
        assert isinstance(medium.source, Inline)
        return known[medium.source.data]

    return check(draft(members), book, model, look)


def found(excesses: Sequence[Excess]) -> list[tuple[str, int, int]]:
    return [(excess.rule.value, excess.measured, excess.allowed) for excess in excesses]


RESPONSES, CODEX = "openai-responses", "openai-responses/codex-responses"
MIB = 1 << 20

BREACHES: list[tuple[str, list[Facts], str, tuple[int, int]]] = [
    ("anthropic", [with_base64(10 * MIB + 4)], "base64", (10 * MIB + 4, 10 * MIB)),
    ("anthropic", [with_side(8001)], "side", (8001, 8000)),
    ("anthropic", [with_side(2001)] + [SMALL] * 20, "many_side", (2001, 2000)),
    ("anthropic", [SMALL] * 101, "media", (101, 100)),
    ("openai-chat", [SMALL] * 1501, "media", (1501, 1500)),
    (RESPONSES, [SMALL] * 1501, "media", (1501, 1500)),
    ("gemini", [SMALL] * 3601, "media", (3601, 3600)),
    ("openai-chat", [replace(SMALL, size=Size(32 * 200, 32 * 150 + 1))], "patches", (200 * 151, 30_000)),
    (RESPONSES, [replace(SMALL, size=Size(6048, 6048))], "patches", (35_721, 30_000)),
    (CODEX, [with_base64(68 * MIB)], "request", (0, 64 * MIB)),
    ("anthropic", [with_base64(8 * MIB)] * 4, "request", (0, 32_000_000)),
    ("gemini", [with_base64(50 * MIB)] * 2, "request", (0, 100_000_000)),
    ("openai-chat", [with_base64(260 * MIB)] * 2, "request", (0, 512_000_000)),
]


@pytest.mark.parametrize(("provider", "media", "rule", "numbers"), BREACHES, ids=[f"{row[0]} {row[2]}" for row in BREACHES])
def test_one_too_many(provider: str, media: list[Facts], rule: str, numbers: tuple[int, int]) -> None:
    verdict = judged(provider, media)
    measured, allowed = numbers
    assert (rule, measured or verdict.size, allowed) in found(verdict.breaches)
    assert {excess.rule for excess in verdict.breaches} == {rule}


PASSES: list[tuple[str, list[Facts]]] = [
    ("anthropic", [with_base64(10 * MIB)]),
    ("anthropic", [with_side(8000)]),
    ("anthropic", [with_side(2001)] + [SMALL] * 19),
    ("anthropic", [with_side(2001)] + [SMALL] * 19 + [of_type(PDF)]),  # a document is no image
    ("anthropic", [with_side(2000)] * 21),
    ("anthropic", [SMALL] * 100),
    ("openai-chat", [replace(SMALL, size=Size(32 * 200, 32 * 150))]),
    ("openai-chat", [replace(SMALL, size=Size(5092, 5800))]),
    ("openai-chat", [with_side(20_000)]),
    ("gemini", [with_side(9000), replace(SMALL, size=Size(9000, 9000))]),
    ("anthropic", [replace(SMALL, size=None)]),
]


@pytest.mark.parametrize(("provider", "media"), PASSES)
def test_what_is_just_allowed(provider: str, media: list[Facts]) -> None:
    assert found(judged(provider, media).breaches) == []


DOUBTS: list[tuple[str, list[Facts], list[str]]] = [
    ("anthropic", [with_base64(5 * MIB + 4)], ["base64"]),
    ("anthropic", [with_base64(5 * MIB)], []),
    ("anthropic", [with_base64(10 * MIB + 4)], []),  # a breach is not told twice
    ("openai-chat", [with_base64(20 * MIB + 4)], ["base64"]),
    ("gemini", [with_base64(20 * MIB + 4)], ["base64", "request"]),
    ("gemini", [with_base64(10 * MIB)] * 2, ["request"]),
]


@pytest.mark.parametrize(("provider", "media", "rules"), DOUBTS)
def test_what_some_hosts_refuse(provider: str, media: list[Facts], rules: list[str]) -> None:
    assert [excess.rule.value for excess in judged(provider, media).doubts] == rules


TYPES: list[tuple[str, Facts, bool]] = [
    ("anthropic", of_type(BMP), True),
    ("anthropic", of_type(HEIC), True),
    ("anthropic", of_type(GIF, is_animated=True), False),
    ("openai-chat", of_type(GIF, is_animated=True), True),
    ("openai-chat", of_type(GIF), False),
    (RESPONSES, of_type(GIF, is_animated=True), True),
    ("gemini", of_type(HEIC), False),
    ("gemini", of_type(BMP), True),
    ("gemini", of_type(PDF), False),
]


@pytest.mark.parametrize(("provider", "facts", "is_refused"), TYPES)
def test_types(provider: str, facts: Facts, is_refused: bool) -> None:
    assert found(judged(provider, [facts]).breaches) == [("type", 1, 0)] * is_refused


MODELS = [
    ("gpt-4o", "", 0),  # it shrinks every image
    ("gpt-5.5", "", 0),
    ("gpt-6-astra", "", 35_721),
    ("gpt-6-astra", "high", 0),
    ("gpt-6-astra", "original", 35_721),
    ("gpt-5.6-sol", "original", 35_721),
    ("a-model-of-next-year", "high", 35_721),
]


@pytest.mark.parametrize(("model", "detail", "patches"), MODELS)
def test_patches_are_those_of_the_model(model: str, detail: str, patches: int) -> None:
    large = image(0, SMALL)
    members: dict[str, Tree] = {"input": [{"content": [{"type": "input_image", "detail": detail, "image_url": large}]}]}
    verdict = check(draft(members), provider_of("openai-responses"), model, lambda _: replace(SMALL, size=Size(6048, 6048)))
    assert found(verdict.breaches) == ([("patches", patches, 30_000)] if patches else [])


RESULTS: list[tuple[str, Tree, list[str]]] = [
    ("openai-chat", {"role": "tool", "content": "x" * (10 * MIB)}, []),
    ("openai-chat", {"role": "tool", "content": "x" * (10 * MIB + 1)}, ["output_text"]),
    ("openai-chat", {"role": "user", "content": "x" * (10 * MIB + 1)}, []),
    (RESPONSES, {"type": "function_call_output", "call_id": "c", "output": "x" * (10 * MIB + 1)}, ["output_text"]),
    (RESPONSES, {"type": "function_call_output", "output": [{"type": "input_text", "text": "x" * (5 * MIB + 1)}] * 2}, ["output_text"]),
    ("anthropic", {"role": "user", "content": [{"type": "tool_result", "content": "x" * (10 * MIB + 1)}]}, []),
]


@pytest.mark.parametrize(("provider", "message", "rules"), RESULTS)
def test_texts_of_results(provider: str, message: Tree, rules: list[str]) -> None:
    verdict = judged(provider, [], extra={provider_of(provider).list_name: [Placed(message, Origin(line=7))]})
    assert [excess.rule.value for excess in verdict.breaches] == rules
    assert all(excess.spot.origin.line == 7 and excess.spot.steps[1] == 0 for excess in verdict.breaches)


def test_base64_of_results_has_a_limit_of_its_own() -> None:
    output: Tree = {"type": "function_call_output", "output": [{"image_url": image(0, SMALL)}]}
    verdict = check(draft({"input": [output]}), provider_of("openai-responses"), "", lambda _: with_base64(20 * MIB + 4))
    assert found(verdict.breaches) == [("output_base64", 20 * MIB + 4, 20 * MIB)]


def test_places_are_those_of_blocks() -> None:
    [excess] = judged("anthropic", [SMALL, with_side(8001)]).breaches
    assert (excess.spot.steps, excess.spot.origin.line) == (("messages", 0, "content", 2), 2)
    assert excess.spot.seen
    assert excess.spot.seen.media.source == Inline("1")
    [first_too_many] = judged("anthropic", [SMALL] * 105).breaches
    assert first_too_many.spot.steps == ("messages", 0, "content", 101)


def test_the_size_is_that_of_what_is_written() -> None:
    media = [with_base64(400), with_base64(40)]
    members: dict[str, Tree] = {"a": [image(0, SMALL), "ä\n"], "b": image(1, SMALL)}
    body = draft(members)
    verdict = check(body, provider_of("gemini"), "", lambda medium: media[int(medium.source.data)])  # type: ignore[union-attr]
    written = b"".join(body.write(lambda medium: b"A" * (400, 40)[int(medium.source.data)]))  # type: ignore[union-attr]
    assert verdict.size == len(written)
    assert written.startswith(b'{"a":["AAAA')
    assert len(verdict.media) == 2


def test_every_interface_has_limits() -> None:
    assert {provider.api for provider in PROVIDERS} == set(LIMITS)
    for limits in LIMITS.values():
        assert {Rule.TYPE, Rule.MEDIA, Rule.REQUEST} <= set(limits.allowed)
        assert all(most < limits.allowed.get(rule, most + 1) for rule, most in limits.cautious.items())
