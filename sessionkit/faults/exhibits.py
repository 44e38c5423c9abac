"""Exhibits: the media of a session where they stand, sound or not, live or not."""

from __future__ import annotations

from enum import Enum, StrEnum, auto
from typing import TYPE_CHECKING, Final

from sessionkit.core.base64 import encoded_size
from sessionkit.core.model import Inline, Stored, Uri
from sessionkit.core.slices import Slice
from sessionkit.dataclass import dataclass
from sessionkit.faults.base import Spot, State

if TYPE_CHECKING:
    from sessionkit.core.model import Media


class Place(StrEnum):
    """Which copy of a picture it is: the one that was written first, one that is never sent, or one that was written again."""

    MESSAGE = "message"
    TWIN = "twin"
    """What only the agent's screen shows: `toolUseResult`, events, `resultDisplay`."""
    COPY = "copy"
    """In a compaction's kept messages, in a list that replaces the messages before it, beside the call that it answers."""


class Form(Enum):
    """How a block spells its medium. Everything but PART and ITEM is an object with a `type`, or stands in one."""

    SOURCE = auto()
    """`{"type":"image","source":{"type":"base64","media_type","data"}}`, also `document`."""
    DATA = auto()
    """`{"type":"image","data","mimeType"}`, and whatever else holds its base64 itself."""
    URL = auto()
    """`{"type":"input_image","image_url"}`: the address is the string itself."""
    NESTED_URL = auto()
    """`{"type":"image_url","image_url":{"url"}}`."""
    PART = auto()
    """`{"inlineData":{"mimeType","data"}}`."""
    FILE = auto()
    """`{"base64","type",…}` under `toolUseResult.file`."""
    RESULT = auto()
    """`{"type":"image_generation_call","result"}`, or its event."""
    ITEM = auto()
    """A string that is a data URL or base64 from its first character to its last; block and value are the same."""


_BARE: Final = frozenset({Form.SOURCE, Form.PART, Form.FILE, Form.RESULT})
_BARE_NAMES: Final = ("/data", "/base64", "/image_data", "/bytes")
"""Members that hold base64 without a prefix, whatever block they stand in."""


class Flaw(StrEnum):
    """What is wrong with the block itself, whatever its bytes."""

    NONE = ""
    NO_SOURCE = "it has no source"
    NO_DATA = "its source has no data"
    NO_TYPE = "its source names no media type"
    UNKNOWN_SOURCE = "its source is of an unknown type"
    NOT_TEXT = "its data is no string"


@dataclass(frozen=True, slots=True)
class Exhibit:
    """An image or document in a line. Pointers are RFC 6901, from the line's value.

    `block` points to what a note takes the place of; `value` to the string that should be base64 or a data URL, None where there is
    none; `label` to the string beside it that declares its type, None where nothing does, or the data URL. `prefix` is what stands
    before the base64 in the same string. `role` is `user`, `assistant`, `tool`, `system`, or empty. `owner` and `number` tell which
    picture it is: the medium of that number, from 0, of a call or message; without an owner nothing is known.
    """

    line: int
    block: str
    value: str | None
    label: str | None
    form: Form
    media: Media
    place: Place = Place.MESSAGE
    role: str = ""
    in_result: bool = False
    state: State = State.ASLEEP
    flaw: Flaw = Flaw.NONE
    prefix: str = ""
    owner: str = ""
    number: int = 0

    @property
    def spot(self) -> Spot:
        """Where findings about it stand: at its data, else at its block."""
        return Spot(self.line, self.block if self.value is None else self.value)

    @property
    def is_live(self) -> bool:
        """Whether the next request holds it."""
        return self.state is State.LIVE

    @property
    def is_inline(self) -> bool:
        """Whether its base64 stands in the line."""
        return isinstance(self.media.source, Inline | Slice)

    @property
    def is_bare(self) -> bool:
        """Whether base64 stands where it belongs without a prefix."""
        return self.form in _BARE or (self.form is Form.DATA and (self.value or "").endswith(_BARE_NAMES))

    @property
    def text(self) -> str:
        """What stands in the string behind the prefix, or the address or reference in its place. Raises what reading a slice raises."""
        match self.media.source:
            case Inline(data):
                return data
            case Slice() as piece:
                return piece.read()
            case Stored(asset):
                return asset.reference
            case Uri(uri):
                return uri

    def base64_length(self, stored_bytes: int = 0) -> int:
        """Characters of its base64; of one in a store, which has so many bytes, those that it would take."""
        match self.media.source:
            case Inline(data):
                return len(data)
            case Slice(size=size):
                return size
            case Stored():
                return encoded_size(stored_bytes)
            case Uri():
                return 0
