"""What a provider is: one vendor's interface, and how a conversation is written for it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from sessionkit.core.model import Json, Message
    from sessionkit.providers.body import Tree


@dataclass(frozen=True, slots=True)
class Target:
    """Whom a body is for, in the words of sessions: vendor `anthropic`, api `anthropic-messages`; `model` is empty if none is named.

    `sees` tells whether the model takes images.
    """

    vendor: str
    api: str
    model: str = ""
    sees: bool = True


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool's definition, whatever form it was found in; `schema` is the JSON schema of its arguments.

    `strict` asks the model to keep to the schema to the letter.
    """

    name: str
    description: str | None
    schema: Json
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent, after the rules of replay: messages of the roles user, assistant and tool, without anything that cannot be sent.

    One tool message holds all results of the calls of the assistant's turn before it. A medium's `media_type` is that of its bytes.
    Messages of the role system only stand in it for an interface that takes the items of the session's format as they are.
    """

    messages: tuple[Message, ...]
    system: str = ""
    tools: tuple[Tool, ...] = ()


class Signatures(StrEnum):
    """When a call for Gemini that has no signature gets the one that skips the check."""

    AUTO = "auto"
    NEVER = "never"
    ALWAYS = "always"


class OpenAIDetail(StrEnum):
    """How closely OpenAI's models look at an image."""

    AUTO = "auto"
    LOW = "low"
    HIGH = "high"
    ORIGINAL = "original"


class Cache(StrEnum):
    """Whether the ends of what can be cached are marked."""

    NO = "no"
    MARK = "mark"


class Labels(StrEnum):
    """Whether the images of tool results say which call they come from."""

    NO = "no"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class Style:
    """Choices of how a body is written that change nothing of what it says."""

    cache: Cache = Cache.NO
    detail: OpenAIDetail | None = None
    labels: Labels = Labels.NO
    signatures: Signatures = Signatures.AUTO


PLAIN = Style()


@dataclass(frozen=True, slots=True)
class IdRule:
    """Which ids of calls an interface takes: letters, digits, `_` and `-`, and at most so many characters.

    Where items have ids too, `item` is how these begin: of an id `call|item` only the first part is that of the call.
    """

    longest: int = 64
    item: str = ""


@dataclass(frozen=True, slots=True)
class NameRule:
    """Which names of tools an interface takes, as character classes: of which characters, which of them first, and how many at most."""

    longest: int = 64
    inner: str = "A-Za-z0-9_-"
    first: str = "A-Za-z0-9_-"


class Thoughts(StrEnum):
    """Which thoughts of its own model an interface takes back.

    SIGNED are those with a signature. ENCRYPTED are items that hold all that the model needs, and not only an id, which nobody could look
    up. ALL are unsigned ones too, and blank texts that have a signature.
    """

    NONE = "none"
    SIGNED = "signed"
    ENCRYPTED = "encrypted"
    ALL = "all"


class Provider(ABC):
    """One interface of one vendor."""

    id: ClassVar[str]
    """As `--provider` takes it."""
    vendor: ClassVar[str]
    api: ClassVar[str]
    """The vendor and interface, in the words of sessions."""
    list_name: ClassVar[str]
    """The member of the body that holds the conversation: `messages`, `input`, `contents`."""
    order: ClassVar[tuple[str, ...]]
    """Members in the order in which the vendor's prefix cache sees them."""
    ids: ClassVar[IdRule] = IdRule()
    names: ClassVar[NameRule] = NameRule()
    thoughts: ClassVar[Thoughts] = Thoughts.SIGNED
    image_types: ClassVar[frozenset[str]] = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
    """Media types of images that the interface takes."""
    takes_animation: ClassVar[bool] = True
    takes_strict: ClassVar[bool] = True
    """Whether a tool can ask for strictness."""
    model_folder: ClassVar[str] = ""
    """How the addresses begin in which the name of the model stands; empty where it stands in the body."""
    own_formats: ClassVar[frozenset[str]] = frozenset()
    """Ids of session formats whose items are what this interface takes: they are sent as they are."""

    @abstractmethod
    def body(self, prompt: Prompt, target: Target, style: Style = PLAIN) -> dict[str, Tree]:
        """Write the request body. Every message and block is `Placed` at its origin, media are `Payload`s. `prompt` is not changed."""
