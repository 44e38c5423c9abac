"""Text blocks without text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.model import Text, ToolResult
from sessionkit.dataclass import dataclass
from sessionkit.faults.base import Fault, Finding, Severity, Spot, Stage, State
from sessionkit.faults.calls import message_of
from sessionkit.faults.cures import gathered, say_empty, take_out
from sessionkit.faults.judging import ALL, weighed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.entries import JsonObject
    from sessionkit.faults.base import Choices, Cure, Splice
    from sessionkit.faults.case import Case
    from sessionkit.formats.records import Record

_FORMATS: Final = frozenset({"claude-code", "pi", "plain"})
_PROFILES: Final = frozenset({"claude-code", "anthropic", "bedrock", "vertex", "portable"})
"""Profiles of vendors that refuse an empty text."""
_IMAGES: Final = frozenset({"image", "document"})


@dataclass(frozen=True, slots=True)
class _Place:
    """An empty text. `content` points to the list around it, in which `siblings` stand, itself included."""

    record: Record
    content: str
    index: int
    siblings: list[object]
    in_result: bool

    @property
    def pointer(self) -> str:
        return f"{self.content}/{self.index}"

    @property
    def spot(self) -> Spot:
        return Spot(self.record.origin.line, self.pointer)


class EmptyText(Fault):
    """A text block without text."""

    id = "empty-text"
    stage = Stage.TEXTS
    page = """\
empty-text: a text block without text

Rule
  A text block holds "" or nothing but white space, beside an image or alone,
  in the result of a tool or in a message of the user. Tools that take images
  out leave such blocks, and so do some MCP servers.

What you see
  messages: text content blocks must be non-empty
  cache_control cannot be set for empty text blocks
  In the result of a tool Claude Code is refused with every turn, and even
  /compact fails; Pi is refused if an image stands beside it. In messages of
  the user both leave it out; older versions of Claude Code did not.

Cure
  The block is taken out; one that stands alone gets the text [empty]. What
  the model said is never touched.

What it loses
  Nothing."""

    def find(self, case: Case) -> Iterator[Finding]:
        if case.format not in _FORMATS or case.profile.id not in _PROFILES:
            return
        sent = set(_sent(case))
        for record in case.outline.records:
            for place in _empty_texts(record):
                yield _told(case, place, State.LIVE if place.spot in sent else State.ASLEEP)

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        return gathered(_without(case, place) for place in _places_at(case, finding.spot))


def _sent(case: Case) -> Iterator[Spot]:
    """Where the texts of the next request stand."""
    for message in case.conversation.messages:
        for block in message.content:
            parts = block.content if isinstance(block, ToolResult) else (block,)
            yield from (Spot(part.origin.line, part.origin.pointer) for part in parts if isinstance(part, Text))


def _told(case: Case, place: _Place, state: State) -> Finding:
    where = "the result of a tool" if place.in_result else "a message of the user"
    cause = f"a text block in {where} is empty"
    cure = "the text [empty]" if _is_kept(place) else "taken out"
    way = case.wire.way(place.spot.line, place.pointer) if state is State.LIVE else ""
    option = "" if state is State.LIVE else ALL
    return Finding(EmptyText.id, _severity(case, place), state, place.spot, cause, cure, option=option, wire=way)


def _severity(case: Case, place: _Place) -> Severity:
    """Pi joins texts without an image to a string, which may be empty; Claude Code and Pi leave empty texts of the user out."""
    is_sent = place.in_result and (case.format != "pi" or any(_type(block) in _IMAGES for block in place.siblings))
    return weighed(case, Severity.BRICKS if is_sent or case.format == "plain" else Severity.HARMLESS)


def _without(case: Case, place: _Place) -> Splice:
    if _is_kept(place):
        return say_empty(case.lines, place.spot.line, place.pointer)
    return take_out(case.lines, place.spot.line, place.pointer)


def _is_kept(place: _Place) -> bool:
    """Whether a text has to stand here because all of the content is empty: then the first one gets it."""
    return place.index == 0 and all(_is_empty(block) for block in place.siblings)


def _places_at(case: Case, spot: Spot) -> Iterator[_Place]:
    content, _, index = spot.pointer.rpartition("/")
    for record in case.outline.at(spot.line):
        for blocks, in_result in _lists_at(record.value, content):
            yield _Place(record, content, int(index), blocks, in_result)


def _lists_at(value: JsonObject, content: str) -> Iterator[tuple[list[object], bool]]:
    """Find the list of blocks at a pointer, and whether it is in the result of a tool."""
    for outer, blocks, in_result in _contents(value):
        if outer == content:
            yield blocks, in_result
        elif content.startswith(f"{outer}/"):
            match blocks[int(content.removeprefix(f"{outer}/").partition("/")[0])]:
                case {"type": "tool_result", "content": list(inner)}:
                    yield inner, True


def _empty_texts(record: Record) -> Iterator[_Place]:
    for content, blocks, in_result in _contents(record.value):
        for index, block in enumerate(blocks):
            if _is_empty(block):
                yield _Place(record, content, index, blocks, in_result)
            match block:
                case {"type": "tool_result", "content": list(inner)}:
                    nested = f"{content}/{index}/content"
                    yield from (_Place(record, nested, at, inner, in_result=True) for at, part in enumerate(inner) if _is_empty(part))


def _contents(value: JsonObject) -> Iterator[tuple[str, list[object], bool]]:
    """Give the lists of blocks of an entry that are not the model's, and whether they are results of tools."""
    message, place = message_of(value)
    match message:
        case {"role": "user" | "toolResult" | "custom" | "hookMessage" as role, "content": list(blocks)}:
            yield f"{place}/content", blocks, role == "toolResult"
    match value:
        case {"attachment": {"prompt": list(blocks)}}:
            yield "/attachment/prompt", blocks, False
        case {"type": "custom_message", "content": list(blocks)}:
            yield "/content", blocks, False


def _is_empty(block: object) -> bool:
    match block:
        case {"type": "text", "text": str(text)}:
            return not text.strip()
        case _:
            return False


def _type(block: object) -> object:
    return block.get("type") if isinstance(block, dict) else None
