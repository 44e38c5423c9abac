"""From a branch of Claude Code's records to messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.dialects.anthropic import decode_blocks, decode_message
from sessionkit.core.dialects.content import below, token_count
from sessionkit.core.model import Message, Role, UserKind
from sessionkit.dataclass import replace
from sessionkit.formats.claude_code.replies import reply_id

if TYPE_CHECKING:
    from sessionkit.formats.claude_code.branch import Branch
    from sessionkit.formats.records import Record

_USER, _COMPACTION = Role.USER, Role.COMPACTION


def project(branch: Branch) -> tuple[Message, ...]:
    """Select what the model sees: no records of the system, no errors of the API, and few attachments."""
    shown = [(record, reply_id(record) or record.id, message) for record in branch.records for message in _messages(record)]
    billed = {reply: record.id for record, reply, _ in shown}
    kept, tokens = sum([record.id in branch.kept for record, _, _ in shown]), _tokens_before(branch)
    messages: list[Message] = []
    for record, reply, message in shown:
        if message.usage and billed[reply] != record.id:  # each block repeats the usage of its reply
            messages.append(replace(message, usage=None))
        elif message.role is _COMPACTION:
            messages.append(replace(message, kept=kept, tokens_before=tokens))
        else:
            messages.append(message)
    return tuple(messages)


def _messages(record: Record) -> tuple[Message, ...]:
    if record.value.get("isApiErrorMessage") is True:
        return ()
    match record.type:
        case "user" | "assistant" as role if isinstance(message := record.value.get("message"), dict):
            decoded = decode_message(message if "role" in message else {"role": role, **message}, below(record.origin, "message"))
            return tuple([_marked(message, record) for message in decoded])
        case "attachment":
            return _waiting(record)
        case _:
            return ()


def _waiting(record: Record) -> tuple[Message, ...]:
    """Of attachments only a command that waited is seen."""
    match record.value.get("attachment"):
        case {"type": "queued_command", "prompt": prompt}:
            blocks, plain = decode_blocks(prompt, below(record.origin, "attachment", "prompt"))
            return (Message(Role.USER, blocks, record.origin, UserKind.NOTE, plain),)
        case _:
            return ()


def _marked(message: Message, record: Record) -> Message:
    """Tell summaries, and what the agent itself put in, from prompts."""
    if message.role is not _USER:
        return message
    if record.value.get("isCompactSummary") is True:
        return replace(message, role=Role.COMPACTION)
    return replace(message, kind=UserKind.NOTE) if record.value.get("isMeta") is True else message


def _tokens_before(branch: Branch) -> int | None:
    match branch.records[0].value if branch.records else {}:
        case {"compactMetadata": {"preTokens": tokens}}:
            return token_count(tokens)
        case _:
            return None
