"""What Anthropic's Messages interface refuses."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain, groupby, takewhile
from typing import TYPE_CHECKING

from tests.providers.strict.anthropic_images import judge_media
from tests.providers.strict.anthropic_words import NOW, Block, Limits, blocks, content, refuse
from tests.providers.strict.base import SHORT_ID, Loaded, Refusal, is_blank, strays, wire

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST_ID = 64
MOST_MARKS = 4


def judge(body: Loaded, limits: Limits = NOW) -> Refusal | None:
    """The first refusal."""
    return next(refusals(body, limits), None)


def refusals(body: Loaded, limits: Limits = NOW) -> Iterator[Refusal]:
    """Everything that is wrong with a body, in the order in which it would be told."""
    sent = wire(body)
    if sent is None:
        yield refuse("The request body is not valid JSON: no low surrogate in string")
        return
    if len(sent) > limits.request_bytes:
        yield refuse("Request exceeds the maximum size", status=413)
    every = list(blocks(body))
    top = [block for block in every if block.holder is None]
    yield from chain(_members(body), _beginning(body), _ids(every), _system(body), _texts(every), _messages(body), _marks(body))
    yield from chain(_assistant_images(every), _pairs(top), _failed_results(every), judge_media(every, limits))


def _members(body: Loaded) -> Iterator[Refusal]:
    for steps in strays(body):
        yield refuse(f"{'.'.join(map(str, steps))}: Extra inputs are not permitted")


def _beginning(body: Loaded) -> Iterator[Refusal]:
    if not body["messages"]:
        yield refuse("messages: at least one message is required")
    elif body["messages"][0]["role"] != "user":
        yield refuse('messages: first message must use the "user" role')


def _ids(every: Iterable[Block]) -> Iterator[Refusal]:
    used: Counter[str] = Counter()
    for block in every:
        match block.value:
            case {"type": "tool_use", "id": str(name)}:
                yield from _id(f"{block.place}.tool_use.id", name)
                used[name] += 1
                if used[name] > 1:
                    yield refuse(f"{block.place}: `tool_use` ids must be unique")
            case {"type": "tool_result", "tool_use_id": str(name)}:
                yield from _id(f"{block.place}.tool_result.tool_use_id", name)


def _id(place: str, name: str) -> Iterator[Refusal]:
    if not SHORT_ID.fullmatch(name):
        yield refuse(f"{place}: String should match pattern '^[a-zA-Z0-9_-]+$'")
    if len(name) > LONGEST_ID:
        yield refuse(f"{place}: String should have at most {LONGEST_ID} characters")


def _system(body: Loaded) -> Iterator[Refusal]:
    if "system" in body and (not body["system"] or any(is_blank(part["text"]) for part in content({"content": body["system"]}))):
        yield refuse("system: text content blocks must be non-empty")


def _texts(every: Iterable[Block]) -> Iterator[Refusal]:
    for block in every:
        match block.value:
            case {"type": "text", "text": "", "cache_control": _}:
                yield refuse(f"{block.place}.text: cache_control cannot be set for empty text blocks")
            case {"type": "text", "text": ""}:
                yield refuse("messages: text content blocks must be non-empty")
            case {"type": "text", "text": text} if is_blank(text):
                yield refuse("messages: text content blocks must contain non-whitespace text")


def _messages(body: Loaded) -> Iterator[Refusal]:
    for number, message in enumerate(body["messages"]):
        is_last_answer = message["role"] == "assistant" and number == len(body["messages"]) - 1
        if not content(message) and not is_last_answer:
            yield refuse(f"messages.{number}: all messages must have non-empty content except for the optional final assistant message")


def _marks(body: Loaded) -> Iterator[Refusal]:
    parts = chain(body.get("tools", []), content({"content": body.get("system", [])}), (block.value for block in blocks(body)))
    marks = sum("cache_control" in part for part in parts)
    if marks > MOST_MARKS:
        yield refuse(f"A maximum of {MOST_MARKS} blocks with cache_control may be provided. Found {marks}.")


def _assistant_images(every: Iterable[Block]) -> Iterator[Refusal]:
    for block in every:
        if block.role == "assistant" and block.value["type"] in ("image", "document"):
            yield refuse(f"messages.{block.message}.content: '{block.value['type']}' blocks are not permitted within assistant turns")


def _failed_results(every: Iterable[Block]) -> Iterator[Refusal]:
    for block in every:
        if block.holder is not None and block.holder.get("is_error") and block.value["type"] != "text":
            yield refuse("all content must be type `text` if `is_error` is true")


@dataclass(frozen=True, slots=True)
class _Turn:
    """Blocks of neighbouring messages of one role, which the interface takes for one."""

    blocks: list[Block]

    def calls(self) -> dict[str, int]:
        """Ids, and the message of each."""
        return {block.value["id"]: block.message for block in self.blocks if block.value["type"] == "tool_use"}

    def results(self) -> list[Block]:
        return [block for block in self.blocks if block.value["type"] == "tool_result"]

    def answers(self) -> Counter[str]:
        """Ids of the results that nothing stands before."""
        leading = takewhile(lambda block: block.value["type"] == "tool_result", self.blocks)
        return Counter(block.value["tool_use_id"] for block in leading)


def _pairs(top: Iterable[Block]) -> Iterator[Refusal]:
    turns = [_Turn(list(group)) for _, group in groupby(top, key=lambda block: block.role)]
    for before, turn in zip([_Turn([]), *turns], [*turns, _Turn([])], strict=True):
        yield from _unanswered(before.calls(), turn.answers())
        yield from _uncalled(before.calls(), turn.results())


def _unanswered(calls: dict[str, int], answers: Counter[str]) -> Iterator[Refusal]:
    missing = [name for name in calls if not answers[name]]
    if missing:
        yield refuse(
            f"messages.{calls[missing[0]]}: `tool_use` ids were found without `tool_result` blocks immediately after: "
            f"{', '.join(missing)}. Each `tool_use` block must have a corresponding `tool_result` block in the next message."
        )


def _uncalled(calls: dict[str, int], results: list[Block]) -> Iterator[Refusal]:
    seen: Counter[str] = Counter()
    for block in results:
        name = block.value["tool_use_id"]
        seen[name] += 1
        if name not in calls:
            yield refuse(
                f"{block.place}: unexpected `tool_use_id` found in `tool_result` blocks: {name}. "
                "Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
            )
        elif seen[name] > 1:
            yield refuse(f"{block.place}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {name}")
