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


def project(branch: Branch) -> tuple[Message, ...]:
    """Select what the model sees: no records of the system, no errors of the API, of attachments only commands that waited."""
    shown = [(record, message) for record in branch.records for message in _messages(record)]
    billed = {reply_id(record) or record.id: record.id for record, _ in shown}
    kept, tokens = sum(record.id in branch.kept for record, _ in shown), _tokens_before(branch)
    messages: list[Message] = []
    for record, message in shown:
        match message.role:
            case Role.COMPACTION:
                messages.append(replace(message, kept=kept, tokens_before=tokens))
            case Role.ASSISTANT if billed[reply_id(record) or record.id] != record.id:  # each block repeats the usage of its reply
                messages.append(replace(message, usage=None))
            case _:
                messages.append(message)
    return tuple(messages)


def _messages(record: Record) -> tuple[Message, ...]:
    match record.value:
        case {"isApiErrorMessage": True}:
            return ()
        case {"type": "user" | "assistant" as role, "message": dict(message)}:
            decoded = decode_message({"role": role, **message}, below(record.origin, "message"))
            return tuple(_marked(message, record) for message in decoded)
        case {"type": "attachment", "attachment": {"type": "queued_command", "prompt": prompt}}:
            blocks, plain = decode_blocks(prompt, below(record.origin, "attachment", "prompt"))
            return (Message(Role.USER, blocks, record.origin, UserKind.NOTE, plain),)
        case _:
            return ()


def _marked(message: Message, record: Record) -> Message:
    """Tell summaries, and what the agent itself put in, from prompts."""
    match message.role, record.value:
        case Role.USER, {"isCompactSummary": True}:
            return replace(message, role=Role.COMPACTION)
        case Role.USER, {"isMeta": True}:
            return replace(message, kind=UserKind.NOTE)
        case _:
            return message


def _tokens_before(branch: Branch) -> int | None:
    match branch.records[0].value if branch.records else {}:
        case {"compactMetadata": {"preTokens": tokens}}:
            return token_count(tokens)
        case _:
            return None
