"""Turns of the user that hold results of tools as well, as Anthropic and Google keep them."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from sessionkit.core.model import Message, Role, ToolResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.core.model import Block, Origin


def user_turn(blocks: Sequence[Block], origin: Origin) -> tuple[Message, ...]:
    """Part the results from the rest: each run of them is a tool message. A turn without blocks is an empty user message."""
    kinds = {isinstance(block, ToolResult) for block in blocks}
    if len(kinds) <= 1:
        return (Message(Role.TOOL if True in kinds else Role.USER, tuple(blocks), origin),)
    runs = groupby(blocks, key=lambda block: Role.TOOL if isinstance(block, ToolResult) else Role.USER)
    return tuple(Message(role, tuple(run), origin) for role, run in runs)
