"""A conversation as items of the Responses API. Items that Codex recorded go out as they were."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from sessionkit.core.dialects.codex import recorded
from sessionkit.core.dialects.content import string
from sessionkit.core.model import Role, Text, ToolCall
from sessionkit.providers.body import Placed
from sessionkit.providers.openai_responses.answers import spell_answer
from sessionkit.providers.openai_responses.parts import TextType, spell_part, spell_text
from sessionkit.providers.results import media_of, results_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.core.model import Carried, Message, ToolResult
    from sessionkit.providers.base import Detail
    from sessionkit.providers.body import Tree

_ROLES = {"system": Role.SYSTEM, "developer": Role.SYSTEM, "user": Role.USER, "assistant": Role.ASSISTANT}


@dataclass(frozen=True, slots=True)
class Speller:
    """Spells messages. `role` is that of instructions, `detail` is asked for of images, `custom` are the ids of calls with free text."""

    role: str
    detail: Detail | None
    custom: frozenset[str]

    def items(self, messages: Sequence[Message]) -> Iterator[Tree]:
        """Spell all messages; ids of answers count those before them, each result as one, and instructions not at all."""
        number = 0
        for message in messages:
            match message.role:
                case Role.ASSISTANT if _recorded(message) is None:
                    yield from spell_answer(message, number)
                case Role.TOOL:
                    yield from (Placed(self._result(result), result.origin) for result in results_of(message))
                case _:
                    yield Placed(self._spoken(message), message.origin)
            number += _weight(message)

    def _spoken(self, message: Message) -> dict[str, Tree]:
        members = _recorded(message)
        if members is not None:
            return {**members, "content": self._recorded_content(message)}
        if message.role is Role.SYSTEM:
            return {"role": self.role, "content": "\n\n".join(block.text for block in message.content if isinstance(block, Text))}
        return {"role": "user", "content": [spell_part(block, TextType.INPUT, self.detail) for block in message.content]}

    def _recorded_content(self, message: Message) -> Tree:
        text_type = TextType.OUTPUT if message.role is Role.ASSISTANT else TextType.INPUT
        match message.content:
            case [Text(text, origin)] if message.plain:
                return Placed(text, origin)
            case blocks:
                return [spell_part(block, text_type, self.detail) for block in blocks]

    def _result(self, result: ToolResult) -> dict[str, Tree]:
        members = recorded(result.carried)
        if members is not None:
            output = {"output": self._recorded_output(result)} if "output" in members else {}
            return {**members, "call_id": result.call_id, **output}
        type_ = "custom_tool_call_output" if result.call_id in self.custom else "function_call_output"
        return {"type": type_, "call_id": result.call_id, "output": self._output(result)}

    def _recorded_output(self, result: ToolResult) -> Tree:
        if result.plain:
            return "".join(block.text for block in result.content if isinstance(block, Text))
        parts = [spell_part(block, TextType.INPUT, self.detail) for block in result.content]
        return parts[0] if parts and result.carried.get("type") == "computer_call_output" else parts

    def _output(self, result: ToolResult) -> Tree:
        """Give a text, or where there are media a list, in which neighbouring texts are one."""
        if not media_of(result):
            return text_of(result)
        parts: list[Tree] = []
        for is_text, run in groupby(result.content, key=lambda block: isinstance(block, Text)):
            blocks = list(run)
            if is_text:
                text = "\n".join(block.text for block in blocks if isinstance(block, Text))
                parts.append(Placed(spell_text(text, TextType.INPUT), blocks[0].origin))
            else:
                parts += [spell_part(block, TextType.INPUT, self.detail) for block in blocks]
        return parts


def custom_calls(messages: Sequence[Message]) -> frozenset[str]:
    """Find the calls that Codex recorded of tools that take free text: the type of their results follows theirs."""
    calls = (block for message in messages for block in message.content if isinstance(block, ToolCall))
    return frozenset(call.id for call in calls if (recorded(call.carried) or {}).get("type") == "custom_tool_call")


def _recorded(message: Message) -> Carried | None:
    """Return the members of a recorded message, unless another speaks it now."""
    members = recorded(message.carried)
    return members if members and _ROLES.get(string(members.get("role"))) is message.role else None


def _weight(message: Message) -> int:
    if message.role is Role.SYSTEM:
        return 0
    return len(message.content) if message.role is Role.TOOL else 1
