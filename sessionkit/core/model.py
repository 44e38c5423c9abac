"""One neutral model of a conversation: what the model sees, whatever agent wrote it.

Formats build it, estimates, compaction and providers read it. Order is the order of the session; nothing is dropped, merged or made up.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.dataclass import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sessionkit.core.assets import AssetName
    from sessionkit.core.pixels import Size
    from sessionkit.core.slices import Slice

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a message or block stands: file, line (from 1), the entry's id (empty if it has none), RFC 6901 pointer into the line."""

    path: str = ""
    line: int = 0
    entry: str = ""
    pointer: str = ""


NOWHERE = Origin()
"""Origin of what no file holds."""

Carried: TypeAlias = "Mapping[str, Json]"
"""Members of the vendor's own that must be replayed verbatim (signatures, encrypted reasoning): carried, never interpreted."""


def _nothing_carried() -> Carried:
    return {}


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text."""

    text: str
    origin: Origin = NOWHERE
    carried: Carried = field(default_factory=_nothing_carried)


@dataclass(frozen=True, slots=True)
class StandIn(Text):
    """A text that a reader put into a result for a block which cannot stand there."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """The model's reasoning; `text` is empty when only its encrypted form is known, `redacted` when the vendor hid it."""

    text: str
    signature: str = ""
    redacted: bool = False
    origin: Origin = NOWHERE
    carried: Carried = field(default_factory=_nothing_carried)


@dataclass(frozen=True, slots=True)
class Inline:
    """Media as base64 text, as the line holds it, without a data-URL prefix."""

    data: str


@dataclass(frozen=True, slots=True)
class Stored:
    """Media in an asset store."""

    asset: AssetName


@dataclass(frozen=True, slots=True)
class Uri:
    """Media that only a vendor, or the network, resolves."""

    uri: str


MediaSource: TypeAlias = "Inline | Slice | Stored | Uri"
"""A slice is inline too: its base64 is still in the session's file."""


class MediaKind(StrEnum):
    """A picture, or any other medium (PDF, audio, video)."""

    IMAGE = "image"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class Media:
    """An image or document. `media_type` is what the session declares, None if nothing; `size` in pixels, as recorded."""

    kind: MediaKind
    source: MediaSource
    media_type: str | None = None
    size: Size | None = None
    name: str = ""
    origin: Origin = NOWHERE
    carried: Carried = field(default_factory=_nothing_carried)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call. `arguments` keeps the order of its keys; `raw` is the vendor's own JSON text of them, where the session holds one."""

    id: str
    name: str
    arguments: Json
    raw: str | None = None
    origin: Origin = NOWHERE
    carried: Carried = field(default_factory=_nothing_carried)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call gave back. `plain` tells that the session held a bare string."""

    call_id: str
    name: str
    content: tuple[Text | Media, ...]
    is_error: bool = False
    plain: bool = False
    origin: Origin = NOWHERE
    carried: Carried = field(default_factory=_nothing_carried)


@dataclass(frozen=True, slots=True)
class Shell:
    """A command that the user ran; `excluded` ones are not for the model. `exit_code` is None while unknown."""

    command: str
    output: str
    exit_code: int | None = None
    excluded: bool = False
    cancelled: bool = False
    truncated_to: str = ""
    origin: Origin = NOWHERE


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A block of a type that nobody here knows: kept in its place, shown as `[unsupported block: <type>]`."""

    type: str
    origin: Origin = NOWHERE
    carried: Carried = field(default_factory=_nothing_carried)


Block: TypeAlias = Text | Thinking | Media | ToolCall | ToolResult | Shell | Unsupported


class Role(StrEnum):
    """Who speaks. A compaction is a summary that stands for what was before it; meta is never seen by the model."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    COMPACTION = "compaction"
    META = "meta"


class UserKind(StrEnum):
    """What made a user message."""

    PROMPT = "prompt"
    NOTE = "note"
    BRANCH_SUMMARY = "branch_summary"
    SHELL = "shell"


class StopReason(StrEnum):
    """Why an assistant's turn ended."""

    STOP = "stop"
    LENGTH = "length"
    TOOL_USE = "tool_use"
    ERROR = "error"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a provider billed for one request; `total` is 0 when it was not recorded. `estimated` by the client itself."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    total: int = 0
    estimated: bool = False

    @property
    def sum(self) -> int:
        """Tokens of the context after the request."""
        return self.total or self.input + self.output + self.cache_read + self.cache_write


@dataclass(frozen=True, slots=True)
class Model:
    """Who answered, in the session's words; empty where it does not say."""

    provider: str = ""
    api: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `plain` tells that its content was a bare string.

    Of a compaction, `kept` is the number of next messages that it had retained, and `tokens_before` what it said of the context.
    """

    role: Role
    content: tuple[Block, ...]
    origin: Origin = NOWHERE
    kind: UserKind = UserKind.PROMPT
    plain: bool = False
    usage: Usage | None = None
    stop_reason: StopReason | None = None
    model: Model | None = None
    kept: int = 0
    tokens_before: int | None = None
    carried: Carried = field(default_factory=_nothing_carried)


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that was read over: a line that is no JSON, an unknown record type, a broken chain; with its place and cause.

    `is_beginning` tells that the conversation begins there, in the middle of what it was.
    """

    cause: str
    origin: Origin
    is_beginning: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Conversation:
    """The active conversation of a session, in the order of the next request; and what was skipped on the way.

    `tools` are the tool definitions that the session holds, in the vendor's form.
    """

    format: str
    messages: tuple[Message, ...]
    skipped: tuple[Skipped, ...] = ()
    tools: tuple[Json, ...] = ()


def media_of(messages: Iterable[Message]) -> Iterator[Media]:
    """Every medium of messages, those in results too, in order."""
    for message in messages:
        for block in message.content:
            match block:
                case Media():
                    yield block
                case ToolResult(content=content):
                    yield from (part for part in content if isinstance(part, Media))
