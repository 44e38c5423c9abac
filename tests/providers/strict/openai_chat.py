"""What OpenAI's chat interface refuses."""

from __future__ import annotations

from collections import Counter
from itertools import chain, takewhile
from typing import TYPE_CHECKING

from tests.providers.strict.openai_words import (
    NOW,
    Limits,
    judge_file,
    judge_frame,
    judge_id,
    judge_image,
    judge_list,
    judge_text,
    refuse,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.providers.strict.base import Loaded, Refusal

LONGEST_ID = 40


def judge(body: Loaded, limits: Limits = NOW) -> Refusal | None:
    """The first refusal."""
    return next(refusals(body, limits), None)


def refusals(body: Loaded, limits: Limits = NOW) -> Iterator[Refusal]:
    """Everything that is wrong with a body, in the order in which it would be told."""
    messages: list[Loaded] = body["messages"]
    yield from chain(judge_frame(body, limits), judge_list("messages", messages))
    for number, message in enumerate(messages):
        yield from chain(_ids(number, message), _content(number, message, limits))
    yield from chain(_unanswered(messages), _uncalled(messages), _count(messages, limits))


def _ids(number: int, message: Loaded) -> Iterator[Refusal]:
    for place, call in enumerate(message.get("tool_calls", [])):
        yield from judge_id(f"messages[{number}].tool_calls[{place}].id", call["id"], LONGEST_ID)
    if "tool_calls" in message:
        yield from judge_list(f"messages[{number}].tool_calls", message["tool_calls"])
    if message["role"] == "tool":
        yield from judge_id(f"messages[{number}].tool_call_id", message["tool_call_id"], LONGEST_ID)


def _content(number: int, message: Loaded, limits: Limits) -> Iterator[Refusal]:
    place = f"messages[{number}].content"
    match message.get("content"):
        case None if not message.get("tool_calls"):
            yield refuse("Invalid value for 'content': expected a string, got null.", f"messages.[{number}].content")
        case str(text):
            yield from judge_text(place, text)
        case list(parts):
            yield from judge_list(place, parts)
            for inner, part in enumerate(parts):
                yield from _part(f"{place}[{inner}]", part, limits)
            if message["role"] != "user" and _images(message):
                yield _misplaced(number, message["role"])


def _part(place: str, part: Loaded, limits: Limits) -> Iterator[Refusal]:
    match part:
        case {"type": "text", "text": str(text)}:
            yield from judge_text(f"{place}.text", text)
        case {"type": "image_url", "image_url": {"url": str(url)}}:
            yield from judge_image(f"Invalid image URL: '{place}.image_url.url'", url, limits)
        case {"type": "file", "file": {"file_data": str(url)}}:
            yield from judge_file(f"Invalid file data: '{place}.file.file_data'", url)


def _misplaced(number: int, role: str) -> Refusal:
    place = f"messages[{number}]"
    words = f"Image URLs are only allowed for messages with role 'user', but this message with role '{role}' contains an image URL."
    return refuse(f"Invalid '{place}'. {words}", place, "invalid_value")


def _images(message: Loaded) -> int:
    content = message.get("content")
    return sum(part["type"] == "image_url" for part in content) if isinstance(content, list) else 0


def _unanswered(messages: list[Loaded]) -> Iterator[Refusal]:
    for number, message in enumerate(messages):
        answers = takewhile(lambda other: other["role"] == "tool", messages[number + 1 :])
        answered = {answer["tool_call_id"] for answer in answers}
        missing = [call["id"] for call in message.get("tool_calls", []) if call["id"] not in answered]
        if missing:
            yield refuse(
                "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
                f"The following tool_call_ids did not have response messages: {', '.join(missing)}",
                f"messages.[{number}].role",
            )


def _uncalled(messages: list[Loaded]) -> Iterator[Refusal]:
    """Answers that do not stand in the run of tool messages behind their call, and second answers."""
    open_calls: set[str] = set()
    answered: dict[str, int] = {}
    for number, message in enumerate(messages):
        if message["role"] != "tool":
            open_calls, answered = {call["id"] for call in message.get("tool_calls", [])}, {}
            yield from _twice(number, message)
            continue
        name = message["tool_call_id"]
        if name not in open_calls:
            words = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
            yield refuse(f"Invalid parameter: {words}", f"messages.[{number}].role")
        elif name in answered:
            words = f"Duplicate value for 'tool_call_id' of '{name}', in messages[{answered[name]}] and messages[{number}]."
            yield refuse(f"Invalid parameter: {words}", f"messages.[{number}].tool_call_id")
        answered.setdefault(name, number)


def _twice(number: int, message: Loaded) -> Iterator[Refusal]:
    """Two calls of one turn with one id: no answer could tell which it is for."""
    counts = Counter(call["id"] for call in message.get("tool_calls", []))
    for name in (name for name, count in counts.items() if count > 1):
        words = f"Duplicate value for 'id' of '{name}' in messages[{number}]."  # not seen
        yield refuse(f"Invalid parameter: {words}", f"messages.[{number}].tool_calls")


def _count(messages: list[Loaded], limits: Limits) -> Iterator[Refusal]:
    count = sum(map(_images, messages))
    if count > limits.images:
        yield refuse(f"Too many images in request: {count} > {limits.images}.", "messages", "invalid_value")  # not seen
