"""Conversations of which it is known what must be sent: every text and every picture in them is another one, and has a number."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from sessionkit.core.model import (
    Conversation,
    Inline,
    Media,
    MediaKind,
    Message,
    Role,
    Shell,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    UserKind,
)
from tests.pictures import picture
from tests.providers.bodies import encoded
from tests.providers.strict import base

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypothesis.strategies import DrawFn

_MARK = re.compile(r"<(\d+)>")


@dataclass
class Turn:
    """Results of the calls of one message of the model, as they must be sent; numbers of texts, and of images, which some move."""

    texts: list[int] = field(default_factory=list)
    images: list[int] = field(default_factory=list)


@dataclass
class Script:
    """A conversation, and the numbers that must be sent of it, each list in order; no others may be.

    `prompts` are what the user says and shows, `answers` and `drawings` texts and images of the model, `results` texts by the call's id.
    `asked` are the messages of the user at which no call was open: there an agent sends a request.
    """

    messages: list[Message] = field(default_factory=list)
    prompts: list[int] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    drawings: list[int] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    results: dict[str, list[int]] = field(default_factory=dict)
    asked: list[int] = field(default_factory=list)
    numbers: int = 0

    @property
    def conversation(self) -> Conversation:
        return Conversation("plain", tuple(self.messages))


def numbers_in(value: Any) -> Iterator[int]:  # noqa: ANN401 - any JSON
    """Numbers of the texts and pictures in a part of a body, in order; its system prompt is not looked at."""
    match value:
        case {"role": "system" | "developer"}:
            pass
        case {"data": str(text)}:
            yield _number_of(text)
        case str() if value.startswith("data:"):
            yield _number_of(value.partition(",")[2])
        case str():
            yield from map(int, _MARK.findall(value))
        case list():
            for item in value:
                yield from numbers_in(item)
        case dict():
            for item in value.values():
                yield from numbers_in(item)


def results_in(value: Any) -> Iterator[tuple[str, list[int]]]:  # noqa: ANN401 - any JSON
    """The id of the call of every result in a part of a body, and the numbers of its texts."""
    match value:
        case (
            {"tool_use_id": name, "content": said}
            | {"tool_call_id": name, "content": said}
            | {"call_id": name, "output": said}
            | {"id": name, "response": said}
        ):
            yield name, [int(number) for number in _MARK.findall(str(said))]
        case list():
            for item in value:
                yield from results_in(item)
        case dict():
            for item in value.values():
                yield from results_in(item)


@st.composite
def scripts(draw: DrawFn) -> Script:
    """Prompts, answers with calls at once, results late, twice or of nothing, turns that broke off, messages that nobody sends."""
    writer = _Writer(draw, Script())
    for step in draw(st.lists(st.sampled_from(_STEPS), max_size=10)):
        step(writer)
    return writer.script


@cache
def numbered(number: int) -> str:
    """Base64 of a picture whose width is its number."""
    return encoded(picture("PNG", "1", (number + 1, 1)))


def _number_of(text: str) -> int:
    seen = base.picture(base.decode(text) or b"")
    assert seen, text
    return seen.width - 1


@dataclass
class _Writer:
    """Adds to a script; `open` are the calls that wait for results, each with the turn that these belong to, None if it broke off."""

    draw: DrawFn
    script: Script
    open: dict[str, Turn | None] = field(default_factory=dict)
    answered: list[str] = field(default_factory=list)

    def prompt(self) -> None:
        blocks = self._blocks()
        self.script.prompts += map(_number, blocks)
        kind = self.draw(st.sampled_from([UserKind.PROMPT, UserKind.NOTE]))
        self._say(Role.USER, blocks, kind=kind)
        if not self.open:
            self.script.asked.append(len(self.script.messages) - 1)

    def summary(self) -> None:
        blocks = self._blocks()
        self.script.prompts += map(_number, blocks)
        self._say(Role.COMPACTION, blocks)

    def command(self) -> None:
        number, is_excluded = self._next(), self.draw(st.booleans())
        self.script.prompts += [] if is_excluded else [number]
        self._say(Role.USER, [Shell("ls", f"<{number}>", excluded=is_excluded)], kind=UserKind.SHELL)

    def unseen(self) -> None:
        self._say(self.draw(st.sampled_from([Role.META, Role.SYSTEM])), [self._text()])

    def blank(self) -> None:
        self._say(self.draw(st.sampled_from([Role.USER, Role.ASSISTANT])), [Text(" \n")] * self.draw(st.integers(0, 2)))

    def answer(self) -> None:
        """Two messages of the model with calls would be one turn, so somebody else speaks before."""
        if self.script.messages and self.script.messages[-1].role is not Role.USER:
            self.prompt()
        blocks, turn, is_broken = self._blocks(), Turn(), self.draw(st.sampled_from([False, False, False, True]))
        calls = [ToolCall(f"call_{self._next()}", "read", {}) for _ in range(self.draw(st.integers(0, 3)))]
        for call in calls:
            self.open[call.id] = None if is_broken else turn
        if not is_broken:
            self.script.turns.append(turn)
            self.script.answers += [_number(block) for block in blocks if isinstance(block, Text)]
            self.script.drawings += [_number(block) for block in blocks if isinstance(block, Media)]
            self.script.results |= {call.id: [] for call in calls}
        stop = self.draw(st.sampled_from([StopReason.ERROR, StopReason.ABORTED])) if is_broken else StopReason.TOOL_USE
        self._say(Role.ASSISTANT, [*blocks, *calls], stop_reason=stop)

    def exchange(self) -> None:
        """An answer, and a result for every call that is open, in any order."""
        self.answer()
        self._give(self.draw(st.permutations(sorted(self.open))))

    def result(self) -> None:
        """One or several at once, of any calls that are open."""
        self._give(self.draw(st.lists(st.sampled_from(sorted(self.open)), min_size=1, unique=True)) if self.open else [])

    def _give(self, names: Sequence[str]) -> None:
        self._say(Role.TOOL, [self._result(name, self.open.pop(name)) for name in names])
        self.answered += names

    def again(self) -> None:
        """A second result, or one of no call."""
        name = self.draw(st.sampled_from(["nobody", *self.answered]))
        self._say(Role.TOOL, [ToolResult(name, "read", tuple(self._blocks()))])

    def _result(self, name: str, turn: Turn | None) -> ToolResult:
        blocks = self._blocks() if self.draw(st.sampled_from([True, True, True, False])) else []
        if turn is not None:
            turn.texts += [_number(block) for block in blocks if isinstance(block, Text)]
            turn.images += [_number(block) for block in blocks if isinstance(block, Media)]
            self.script.results[name] = [_number(block) for block in blocks if isinstance(block, Text)]
        return ToolResult(name, "read", tuple(blocks), is_error=self.draw(st.booleans()))

    def _say(self, role: Role, blocks: Sequence[Any], **more: Any) -> None:  # noqa: ANN401 - fields of a message
        self.script.messages.append(Message(role, tuple(blocks), **more))

    def _blocks(self) -> list[Text | Media]:
        return [self._text() if is_text else self._image() for is_text in self.draw(st.lists(st.booleans(), min_size=1, max_size=3))]

    def _text(self) -> Text:
        return Text(f"<{self._next()}>")

    def _image(self) -> Media:
        return Media(MediaKind.IMAGE, Inline(numbered(self._next())), "image/png")

    def _next(self) -> int:
        self.script.numbers += 1
        return self.script.numbers


def _number(block: Text | Media) -> int:
    match block:
        case Text(text):
            return int(text[1:-1])
        case Media(source=Inline(data)):
            return _number_of(data)
        case _:
            raise AssertionError(block)


_STEPS = [
    *(_Writer.exchange, _Writer.exchange, _Writer.exchange, _Writer.prompt, _Writer.answer, _Writer.result, _Writer.again),
    *(_Writer.summary, _Writer.command, _Writer.unseen, _Writer.blank),
]
