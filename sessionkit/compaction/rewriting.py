"""Change the texts of messages on their way to a summary; the messages of the session stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from sessionkit.core.model import Media, Shell, Text, Thinking, ToolCall, ToolResult, Unsupported
from sessionkit.dataclass import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sessionkit.core.model import Block, Json, Message

_Spoken = TypeVar("_Spoken", Text, Thinking)


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What becomes of texts, and of the arguments of calls: the very same value where nothing does."""

    text: Callable[[str], str]
    arguments: Callable[[Json], Json]

    def messages(self, messages: Iterable[Message]) -> list[Message]:
        """Rewrite messages, in order; one in which nothing changes is the same object."""
        return [self._message(message) for message in messages]

    def _message(self, message: Message) -> Message:
        content = tuple(map(self._block, message.content))
        return message if _same(content, message.content) else replace(message, content=content)

    def _block(self, block: Block) -> Block:
        match block:
            case Text():
                return self._spoken(block)
            case Thinking():
                return self._spoken(block)
            case ToolResult():
                content = tuple(self._spoken(part) if isinstance(part, Text) else part for part in block.content)
                return block if _same(content, block.content) else replace(block, content=content)
            case ToolCall():
                return self._call(block)
            case Shell():
                return self._shell(block)
            case Media() | Unsupported():
                return block

    def _spoken(self, block: _Spoken) -> _Spoken:
        text = self.text(block.text)
        return block if text == block.text else replace(block, text=text)

    def _call(self, call: ToolCall) -> ToolCall:
        """The vendor's own JSON of arguments that changed does not stand for them any more."""
        arguments = self.arguments(call.arguments)
        return call if arguments is call.arguments else replace(call, arguments=arguments, raw=None)

    def _shell(self, run: Shell) -> Shell:
        command, output = self.text(run.command), self.text(run.output)
        return run if (command, output) == (run.command, run.output) else replace(run, command=command, output=output)


def _same(new: Sequence[object], old: Sequence[object]) -> bool:
    return all(one is other for one, other in zip(new, old, strict=True))
