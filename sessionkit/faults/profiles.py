"""What a session is held against: the rules of the client and of the host that its next request goes to. State of November 2026."""

from __future__ import annotations

from enum import Enum, StrEnum, auto
from typing import TYPE_CHECKING, Final

from sessionkit.core.sniff import GIF, HEIC, JPEG, PNG, WEBP
from sessionkit.dataclass import dataclass, replace
from sessionkit.errors import UsageError

if TYPE_CHECKING:
    from sessionkit.core.model import Conversation
    from sessionkit.core.sniff import MediaType


class Rule(StrEnum):
    """What a client or host minds."""

    DECODES = "decodes"
    """The bytes are an image of a known type, whole by its structure."""
    LABEL = "label"
    """The declared type is that of the bytes."""
    TYPE = "type"
    """The type of the bytes is one that is accepted."""
    NAMED = "named"
    """The declared type is one that is accepted."""
    SPELLING = "spelling"
    """Base64 decodes strictly."""
    ADDRESS = "address"
    """Where a URL belongs stands one."""
    LENGTH = "length"
    SIDE = "side"
    MEDIA = "media"
    REQUEST = "request"


class Weight(Enum):
    """Whether what breaks a rule is refused, or may be."""

    REFUSED = auto()
    WARNED = auto()


class Hosts(Enum):
    """Which hosts a session may meet: any, some of which take half as much; or the vendor's own alone."""

    ANY = auto()
    OWN = auto()


@dataclass(frozen=True, slots=True)
class Profile:
    """The rules of one kind of session, and their numbers; a number is None where nothing is known to be limited.

    `length` is the most characters of base64 of one image; `side` the most pixels of a side, `many_side` that in a request with more
    than `many` images; `media` the most images and PDF pages of a request, of which `kept` stay when there are more; `request` its most
    bytes, which a cure brings down to `request_target`. `types` are those of accepted images.
    """

    id: str
    rules: frozenset[Rule]
    types: frozenset[MediaType]
    weight: Weight = Weight.REFUSED
    length: int | None = None
    side: int | None = None
    many_side: int | None = None
    many: int = 20
    media: int | None = None
    request: int | None = None

    def minds(self, rule: Rule) -> bool:
        """Whether it holds a session against this rule."""
        return rule in self.rules

    @property
    def is_of_anthropic(self) -> bool:
        """Whether its rules are those of Anthropic's interface: no other one limits the base64 of an image."""
        return self.length is not None

    def side_among(self, images: int) -> int | None:
        """The most pixels of a side in a request with so many images."""
        return self.many_side if images > self.many and self.many_side is not None else self.side

    @property
    def kept(self) -> int | None:
        """Images that stay of too many: a tenth less than what is allowed."""
        return None if self.media is None else self.media * 9 // 10

    @property
    def request_target(self) -> int | None:
        """Bytes that a request which was too large may have after its cure: a tenth less than what is allowed."""
        return None if self.request is None else self.request * 9 // 10


_MIB: Final = 1 << 20
_MB: Final = 1_000_000
_COMMON: Final = frozenset({PNG, JPEG, GIF, WEBP})
_ALL: Final = frozenset(Rule) - {Rule.ADDRESS}
_BYTES: Final = frozenset({Rule.DECODES, Rule.SPELLING, Rule.TYPE, Rule.REQUEST})
_ANTHROPIC: Final = Profile("anthropic", _ALL, _COMMON, length=5 * _MIB, side=8000, many_side=2000, media=100, request=32 * _MB)

PROFILES: Final[tuple[Profile, ...]] = (
    replace(_ANTHROPIC, id="claude-code"),
    _ANTHROPIC,
    replace(_ANTHROPIC, id="bedrock", request=20 * _MB),
    replace(_ANTHROPIC, id="vertex", request=30 * _MB),
    Profile("openai", _BYTES | {Rule.NAMED, Rule.ADDRESS}, _COMMON, media=1500, request=512 * _MB),
    Profile("codex", frozenset({Rule.ADDRESS, Rule.REQUEST}), _COMMON, request=64 * _MIB),
    Profile("qwen-code", _BYTES, _COMMON, request=512 * _MB),
    Profile("gemini", _BYTES | {Rule.NAMED}, _COMMON | {HEIC}, media=3600, request=100 * _MB),
    replace(_ANTHROPIC, id="portable", rules=frozenset(Rule), weight=Weight.WARNED),
)
"""A session of Claude Code is held against its own check of 5 MiB on every host."""

_OF_AGENTS: Final = {"claude-code": "claude-code", "codex": "codex", "qwen-code": "qwen-code", "gemini-cli": "gemini"}
_OF_INTERFACES: Final = {"anthropic": "anthropic", "openai": "openai", "google": "gemini", "bedrock": "bedrock"}
_HALVED: Final = frozenset({"anthropic", "portable"})
"""Profiles whose own host takes twice the base64 that others take."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a user says of the hosts: a profile by its id, whether the vendor's own host is meant, and the most images of a request."""

    profile: str | None = None
    hosts: Hosts = Hosts.ANY
    media: int | None = None

    def __post_init__(self) -> None:
        if self.profile is not None:
            profile_of(self.profile)


ANY_HOST: Final = Wish()


def profile_of(id_: str) -> Profile:
    """Find a profile; UsageError."""
    found = next((profile for profile in PROFILES if profile.id == id_), None)
    if found is None:
        raise UsageError(f"unknown profile: {id_}", hint=f"one of {', '.join(profile.id for profile in PROFILES)}")
    return found


def choose_profile(conversation: Conversation, wish: Wish = ANY_HOST) -> Profile:
    """Choose by the agent, and where it speaks to several vendors, by the interface of the newest answer; a wish comes first."""
    profile = profile_of(wish.profile or _of_session(conversation))
    if wish.hosts is Hosts.OWN and profile.id in _HALVED and profile.length is not None:
        profile = replace(profile, length=2 * profile.length)
    if wish.media is not None and profile.media is not None:
        profile = replace(profile, media=wish.media)
    return profile


def _of_session(conversation: Conversation) -> str:
    if conversation.format != "pi":
        return _OF_AGENTS.get(conversation.format, "portable")
    api = next((message.model.api for message in reversed(conversation.messages) if message.model and message.model.api), "")
    return _OF_INTERFACES.get(api.partition("-")[0], "portable")
