"""What OpenAI's Responses interface refuses."""

from __future__ import annotations

from collections import Counter
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from tests.providers.strict.openai_words import (
    NOW,
    Limits,
    judge_file,
    judge_frame,
    judge_id,
    judge_image,
    judge_length,
    judge_list,
    judge_text,
    refuse,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.providers.strict.base import Loaded, Refusal

LONGEST_ID = 64
_BEGINNINGS = {"message": "msg", "function_call": "fc", "reasoning": "rs"}
_PARTS = {
    "user": ("input_text", "input_image", "input_file"),
    "system": ("input_text",),
    "developer": ("input_text",),
    "assistant": ("output_text", "refusal"),
}


def judge(body: Loaded, limits: Limits = NOW) -> Refusal | None:
    """The first refusal."""
    return next(refusals(body, limits), None)


def refusals(body: Loaded, limits: Limits = NOW) -> Iterator[Refusal]:
    """Everything that is wrong with a body, in the order in which it would be told."""
    items: list[Loaded] = body["input"]
    yield from chain(judge_frame(body, limits), judge_list("input", items))
    for number, item in enumerate(items):
        yield from chain(_ids(f"input[{number}]", item), _content(f"input[{number}]", item, limits))
    yield from chain(_repeated(items), _reasoning(items), _pairs(items), _count(items, limits))


def _type(item: Loaded) -> str:
    return str(item.get("type", "message"))


def _is_call(item: Loaded) -> bool:
    return "call_id" in item and not _type(item).endswith("_output")


def _ids(place: str, item: Loaded) -> Iterator[Refusal]:
    if "call_id" in item:
        yield from judge_id(f"{place}.call_id", item["call_id"], LONGEST_ID)
    if "id" in item:
        beginning = _BEGINNINGS.get(_type(item), "")
        yield from judge_length(f"{place}.id", item["id"], LONGEST_ID)
        if not item["id"].startswith(beginning):
            words = f"Invalid '{place}.id': '{item['id']}'. Expected an ID that begins with '{beginning}'."
            yield refuse(words, f"{place}.id", "invalid_value")


def _content(place: str, item: Loaded, limits: Limits) -> Iterator[Refusal]:
    match item:
        case {"role": role, "content": content}:
            yield from _parts(f"{place}.content", content, _PARTS[role], limits)
        case {"output": str(text)}:
            yield from judge_text(f"{place}.output", text)
            yield from judge_length(f"{place}.output", text, limits.output_chars)
        case {"output": output}:
            yield from _parts(f"{place}.output", output, _PARTS["user"], limits)
            for inner, part in enumerate(output):
                yield from judge_length(f"{place}.output[{inner}].image_url", part.get("image_url") or "", limits.output_url_chars)


def _parts(place: str, content: str | list[Loaded], types: tuple[str, ...], limits: Limits) -> Iterator[Refusal]:
    if isinstance(content, str):
        yield from judge_text(place, content)
        return
    yield from judge_list(place, content)
    for inner, part in enumerate(content):
        if part["type"] not in types:
            yield _foreign(f"{place}[{inner}]", part["type"], types)
        yield from _part(f"{place}[{inner}]", part, limits)


def _foreign(place: str, kind: str, types: tuple[str, ...]) -> Refusal:
    known = [f"'{name}'" for name in types]
    listed = " and ".join(known) if len(known) < 3 else f"{', '.join(known[:-1])}, and {known[-1]}"
    return refuse(f"Invalid value: '{kind}'. Supported values are: {listed}.", place, "invalid_value")


def _part(place: str, part: Loaded, limits: Limits) -> Iterator[Refusal]:
    match part:
        case {"text": str(text)}:
            yield from judge_text(f"{place}.text", text)
        case {"image_url": str(url)}:
            yield from judge_image(f"Invalid '{place}.image_url'", url, limits)
        case {"file_data": str(url)}:
            yield from judge_file(f"Invalid '{place}.file_data'", url)


def _repeated(items: list[Loaded]) -> Iterator[Refusal]:
    ids = Counter(item["id"] for item in items if "id" in item)
    for name in (name for name, count in ids.items() if count > 1):
        yield refuse(f"Duplicate item found with id {name}. Remove duplicate items from your input and try again.", "input")


def _reasoning(items: list[Loaded]) -> Iterator[Refusal]:
    """The model's own words or calls must follow its reasoning."""
    for item, following in zip_longest(items, items[1:], fillvalue={"role": "user"}):
        follows = following.get("role") == "assistant" or _type(following) == "reasoning" or _is_call(following)
        if _type(item) == "reasoning" and not follows:
            yield refuse(f"Item '{item['id']}' of type 'reasoning' was provided without its required following item.", "input")


def _pairs(items: list[Loaded]) -> Iterator[Refusal]:
    """An answer stands behind its call, and each has one."""
    calls: dict[str, str] = {}
    answered: set[str] = set()
    for item in items:
        name = item.get("call_id", "")
        kind = _type(item).removesuffix("_output").replace("_", " ")
        if _is_call(item) and name in calls:
            yield refuse(f"Duplicate call_id found: {name}.", "input")  # not seen
        elif _is_call(item):
            calls[name] = kind
        elif name and (name not in calls or name in answered):
            yield refuse(f"No tool call found for {kind} output with call_id {name}.", "input")
        elif name:
            answered.add(name)
    for name, kind in calls.items():
        if name not in answered:
            yield refuse(f"No tool output found for {kind} {name}.", "input")


def _count(items: list[Loaded], limits: Limits) -> Iterator[Refusal]:
    parts = chain.from_iterable(item.get("content") or item.get("output") or () for item in items)
    count = sum(isinstance(part, dict) and part["type"] == "input_image" for part in parts)
    if count > limits.images:
        yield refuse(f"Too many images in request: {count} > {limits.images}.", "input", "invalid_value")  # not seen
