"""A turn of the model as items of the Responses API: each of its blocks is one."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from sessionkit.core.dialects.arguments import read_arguments
from sessionkit.core.dialects.codex import recorded
from sessionkit.core.dialects.content import string
from sessionkit.core.model import Media, Text, Thinking, ToolCall, Unsupported
from sessionkit.providers.body import Payload, Placed
from sessionkit.providers.openai import arguments_text
from sessionkit.providers.openai_responses.parts import TextType, spell_text
from sessionkit.providers.reasoning import item_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.core.model import Block, Message
    from sessionkit.providers.body import Tree

_LONGEST_ID = 64


def spell_answer(message: Message, number: int) -> Iterator[Tree]:
    """Spell a turn; texts that have no id of their own get one made of `number` and their place in the turn."""
    texts = 0
    for block in _followed(message.content):
        match block:
            case Text():
                item = _message(block, f"msg_pi_{number}_{texts}" if texts else f"msg_pi_{number}")
                texts += 1
            case _:
                item = _item(block)
        if item:
            yield Placed(item, block.origin)


def _followed(blocks: Sequence[Block]) -> list[Block]:
    """Leave out reasoning that nothing came of, which is refused. Codex sends its own all the same."""
    end = max((at for at, block in enumerate(blocks) if isinstance(block, Text | ToolCall)), default=-1)
    return [block for at, block in enumerate(blocks) if at < end or not isinstance(block, Thinking) or recorded(block.carried)]


def _message(text: Text, id_: str) -> dict[str, Tree]:
    own, phase = _signature(text)
    return {
        "type": "message",
        "role": "assistant",
        "content": [Placed(spell_text(text.text, TextType.OUTPUT), text.origin)],
        "status": "completed",
        "id": own or id_,
        **({"phase": phase} if phase else {}),
    }


def _signature(text: Text) -> tuple[str, str]:
    """Read the id that Pi keeps as a text's signature, and the phase; the earliest signatures are the id alone."""
    signature, _ = read_arguments(text.carried.get("textSignature"))
    match signature:
        case {"id": str(id_), **more}:
            return _shortened(id_), string(more.get("phase"))
        case str() if signature.startswith("msg_"):
            return _shortened(signature), ""
        case _:
            return "", ""


def _shortened(id_: str) -> str:
    if len(id_) <= _LONGEST_ID:
        return id_
    return f"msg_{sha256(id_.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def _item(block: Block) -> dict[str, Tree]:
    """Spell what is no text; empty is what the interface has no item for. Media in an item of an unknown type are part of that item."""
    match block:
        case ToolCall():
            return _call(block)
        case Thinking():
            return dict(item_of(block))
        case Media(carried=carried) if members := recorded(carried):
            return {**members, "result": Payload(block)}
        case Unsupported(carried=members):
            return dict(members)
        case _:
            return {}


def _call(call: ToolCall) -> dict[str, Tree]:
    members = recorded(call.carried)
    if members is not None:
        return {**members, **_told(call, string(members.get("type"))), "call_id": call.id}
    own = string(call.carried.get("id"))
    id_ = {"id": own} if own.startswith("fc_") else {}
    return {"type": "function_call", **id_, "call_id": call.id, "name": call.name, "arguments": arguments_text(call)}


def _told(call: ToolCall, type_: str) -> dict[str, Tree]:
    """Tell what a recorded call says; of tools of the vendor's own that is its matter."""
    match type_:
        case "function_call":
            return {"name": call.name, "arguments": arguments_text(call)}
        case "custom_tool_call":
            return {"name": call.name, "input": string(call.arguments)}
        case _:
            return {}
