"""Codex's history, replayed from the lines of a rollout: what is appended, replaced by a compaction, and rolled back."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.dialects.codex import decode_item
from sessionkit.core.dialects.content import below, string, token_counts
from sessionkit.core.model import Message, Model, Origin, Role, Skipped, Text, Usage, UserKind
from sessionkit.dataclass import replace
from sessionkit.formats.records import record_of
from sessionkit.formats.skips import unknown_types

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.entries import JsonObject
    from sessionkit.formats.records import Record

_USER, _ASSISTANT = Role.USER, Role.ASSISTANT
_STATE = frozenset({"world_state", "inter_agent_communication_metadata"})
_NOT_THE_USERS = (
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions for ",
    "<turn_aborted>",
    "<skill>",
    "<user_shell_command>",
    "<subagent_notification>",
)
"""How texts begin that Codex puts into user messages by itself. Newer versions state the kind of each item."""

_Mark: TypeAlias = "tuple[list[Message], int]"
"""The history at a moment: a list that has only been appended to since, and its length then."""


class Replay:
    """Takes the lines of a rollout one by one; `history` is what Codex would have in memory after them."""

    def __init__(self) -> None:
        self.history: list[Message] = []
        self.system: tuple[Message, ...] = ()
        self._skipped: list[Skipped] = []
        self._strange: list[Record] = []
        self._model: Model | None = None
        self._provider = ""
        self._turns: list[_Mark] = []
        self._task: _Mark | None = None

    @property
    def messages(self) -> tuple[Message, ...]:
        """The base instructions, then the history."""
        return (*self.system, *self.history)

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """What was no line of Codex's, or made no sense."""
        return (*self._skipped, *unknown_types(self._strange, lambda _: False))

    def take(self, value: JsonObject, origin: Origin) -> None:
        """Replay one line, or one item of a generation that has no envelopes."""
        type_, payload = value.get("type"), value.get("payload")
        if isinstance(type_, str) and isinstance(payload, dict):
            self._take(type_, payload, below(origin, "payload"))
            return
        match value:
            case {"session": dict(), "items": list(items)}:
                for at, item in enumerate(items):
                    self._append(item, below(origin, "items", at))
            case {"type": str()}:
                self._append(value, origin)
            case {"record_type": _} | {"id": _, "timestamp": _, "instructions": _}:
                pass
            case _:
                self._strange.append(record_of(value, origin))

    def _take(self, type_: str, payload: JsonObject, origin: Origin) -> None:
        match type_:
            case "response_item":
                self._append(payload, origin)
            case "compacted":
                self._compact(payload, origin)
            case "event_msg":
                self._see(payload, origin)
            case "session_meta":
                self._begin(payload, origin)
            case "turn_context":
                self._model = Model(self._provider, "openai-responses", string(payload.get("model")))
            case "token_usage_record":
                self._bill(payload.get("usage"))
            case _ if type_ not in _STATE:
                self._strange.append(record_of({"type": type_}, origin))

    def _begin(self, payload: JsonObject, origin: Origin) -> None:
        """Take the instructions from the first header; later ones came along with the history of a fork."""
        self._provider = self._provider or string(payload.get("model_provider"))
        match payload:
            case {"base_instructions": {"text": str(text)}} if text and not self.system:
                place = below(origin, "base_instructions", "text")
                self.system = (Message(Role.SYSTEM, (Text(text, place),), origin, plain=True),)

    def _append(self, item: object, origin: Origin) -> None:
        message = _decode(item, origin)
        if message is None:
            return
        if message.role is _ASSISTANT:
            message = replace(message, model=self._model) if self._model else message
        elif message.role is _USER and message.kind is UserKind.PROMPT:
            self._turns.append(self._turn_mark())
        self.history.append(message)

    def _turn_mark(self) -> _Mark:
        """Mark where a turn begins: at the user's message, or before the compaction that its task began with."""
        task, self._task = self._task, None
        return task if task and task[0] is not self.history else self._now()

    def _now(self) -> _Mark:
        return self.history, len(self.history)

    def _compact(self, payload: JsonObject, origin: Origin) -> None:
        match payload:
            case {"replacement_history": list(items)}:
                place = below(origin, "replacement_history")
                decoded = (_decode(item, below(place, at)) for at, item in enumerate(items))
                history = [message for message in decoded if message]
            case _:
                history = [*_prompts(self.history), _summary(payload, origin)]
        self.history = history

    def _see(self, event: JsonObject, origin: Origin) -> None:
        match event.get("type"):
            case "task_started" | "turn_started":
                self._task = self._now()
            case "token_count" if isinstance(info := event.get("info"), dict):
                self._bill(info.get("last_token_usage"))
            case "thread_rolled_back" if isinstance(count := event.get("num_turns"), int):
                self._roll_back(count, origin)

    def _roll_back(self, count: int, origin: Origin) -> None:
        """Return to where the oldest of the last turns began, in the history of an older compaction if need be."""
        if count > len(self._turns):
            self._skipped.append(Skipped(f"it rolls back {count} turns, of which {len(self._turns)} are here", origin))
        marks = self._turns[-count:] if count > 0 else []
        if marks:
            history, length = marks[0]
            self.history = history[:length]
            del self._turns[-count:]

    def _bill(self, usage: object) -> None:
        """Put a usage where it was measured: at the newest item of the model; Codex's own estimate at the newest item of all."""
        found = _usage(usage)
        if found is None:
            return
        newest = (at for at in reversed(range(len(self.history))) if found.estimated or self.history[at].role is Role.ASSISTANT)
        at = next(newest, None)
        if at is not None and found.sum:
            self.history[at] = replace(self.history[at], usage=found)


def _usage(usage: object) -> Usage | None:
    """Read a usage. Right after a compaction there is a total alone, which Codex has estimated."""
    match token_counts(usage, "input_tokens", "cached_input_tokens", "cache_write_input_tokens", "output_tokens", "total_tokens"):
        case [sent, cached, written, received, total]:
            fresh = max(0, sent - cached - written)
            return Usage(fresh, received, cached, written, total, estimated=bool(total) and not sent and not received)
        case _:
            return None


def _decode(item: object, origin: Origin) -> Message | None:
    """Decode an item; None for what is none, and for snapshots, which Codex keeps in its history but never sends."""
    if not isinstance(item, dict) or item.get("type") == "ghost_snapshot":
        return None
    id_ = string(item.get("id")) or string(item.get("call_id"))
    message = decode_item(item, Origin(origin.path, origin.line, id_, origin.pointer))
    is_note = message.role is _USER and not _is_prompt(item, message)
    return replace(message, kind=UserKind.NOTE) if is_note else message


def _is_prompt(item: JsonObject, message: Message) -> bool:
    """Whether a user message is the user's own: by the kinds of its items, or in older files by how it begins."""
    for holder in (item, item.get("internal_chat_message_metadata_passthrough")):
        kinds = holder.get("content_item_kinds") if isinstance(holder, dict) else None
        if isinstance(kinds, list):
            return any(isinstance(kind, str) and kind.startswith("user.") for kind in kinds)
    text = next((block.text for block in message.content if isinstance(block, Text)), "")
    return not text.startswith(_NOT_THE_USERS)


def _prompts(history: list[Message]) -> Iterator[Message]:
    """Keep what a compaction of the older kind keeps: the texts of the user."""
    for message in history:
        texts = tuple(block for block in message.content if isinstance(block, Text))
        if message.role is Role.USER and message.kind is UserKind.PROMPT and texts:
            yield replace(message, content=texts)


def _summary(payload: JsonObject, origin: Origin) -> Message:
    text = Text(string(payload.get("message")), below(origin, "message"))
    return Message(Role.USER, (text,), origin, UserKind.NOTE, plain=True)
