"""Commands that the user ran: told to the model in the words of Pi, which is the agent that has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import Shell, Text
from sessionkit.providers.replay.contents import with_contents
from sessionkit.providers.replay.remarks import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Block, Message
    from sessionkit.providers.replay.contents import Holder


def shell_text(shell: Shell) -> str:
    """Tell of a command, its output and how it ended."""
    output = f"```\n{shell.output}\n```" if shell.output else "(no output)"
    return "\n\n".join((f"Ran `{shell.command}`\n{output}", *_end(shell)))


def tell_commands(messages: tuple[Message, ...]) -> Outcome:
    """Put a text in the place of every command; those that are not for the model go."""
    return Outcome(with_contents(messages, _told))


def _end(shell: Shell) -> Iterator[str]:
    if shell.cancelled:
        yield "(command cancelled)"
    elif shell.exit_code:
        yield f"Command exited with code {shell.exit_code}"
    if shell.truncated_to:
        yield f"[Output truncated. Full output: {shell.truncated_to}]"


def _told(holder: Holder) -> Iterator[Block]:
    for block in holder.content:
        if not isinstance(block, Shell):
            yield block
        elif not block.excluded:
            yield Text(shell_text(block), block.origin)
