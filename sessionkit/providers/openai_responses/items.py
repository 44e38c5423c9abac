"""A conversation as items of the Responses API. Items that Codex recorded go out as they were."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from sessionkit.core.dialects.codex import recorded
from sessionkit.core.dialects.content import string
from sessionkit.core.model import Role, Text, ToolCall
from sessionkit.dataclass import dataclass
from sessionkit.providers.body import Placed
from sessionkit.providers.openai_responses.answers import spell_answer
from sessionkit.providers.openai_responses.parts import TextType, spell_part, spell_text
from sessionkit.providers.results import NO_OUTPUT, media_of, results_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sessionkit.core.model import Carried, Message, ToolResult
    from sessionkit.providers.base import OpenAIDetail
    from sessionkit.providers.body import Tree

_OUTPUTS = {"function_call": "function_call_output", "custom_tool_call": "custom_tool_call_output"}
"""Types of results by those of their calls; what belongs to calls of the vendor's own is its matter."""
_ROLES = {"system": Role.SYSTEM, "developer": Role.SYSTEM, "user": Role.USER, "assistant": Role.ASSISTANT}


@dataclass(frozen=True, slots=True)
class Speller:
    """Spells messages. `role` is that of instructions, `detail` is asked for of images, `calls` are types of calls by their ids."""

    role: str
    detail: OpenAIDetail | None
    calls: Mapping[str, str]

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
        type_ = _OUTPUTS.get(self.calls.get(result.call_id, ""))
        if members is None:
            return {"type": type_ or _OUTPUTS["function_call"], "call_id": result.call_id, "output": self._output(result)}
        if members.get("type") not in _OUTPUTS.values():
            output = {"output": self._recorded_output(result)} if "output" in members else {}
            return {**members, "call_id": result.call_id, **output}
        kind = {"type": type_} if type_ else {}
        return {**members, **kind, "call_id": result.call_id, "output": self._recorded_output(result)}

    def _recorded_output(self, result: ToolResult) -> Tree:
        """Give a list where one was recorded, even of nothing but a text; where nothing is left to say, say so."""
        if result.plain:
            return "".join(block.text for block in result.content if isinstance(block, Text))
        parts = [spell_part(block, TextType.INPUT, self.detail) for block in result.content]
        if not parts:
            return NO_OUTPUT
        return parts[0] if result.carried.get("type") == "computer_call_output" else parts

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


def types_of_calls(messages: Sequence[Message]) -> dict[str, str]:
    """Tell the types of calls by their ids: the type of a result follows that of its call."""
    calls = (block for message in messages for block in message.content if isinstance(block, ToolCall))
    return {call.id: string((recorded(call.carried) or {}).get("type", "function_call")) for call in calls}


def _recorded(message: Message) -> Carried | None:
    """Return the members of a recorded message, unless another speaks it now."""
    members = recorded(message.carried)
    return members if members and _ROLES.get(string(members.get("role"))) is message.role else None


def _weight(message: Message) -> int:
    if message.role is Role.SYSTEM:
        return 0
    return len(message.content) if message.role is Role.TOOL else 1
