"""The text that stands where a picture was taken out: measured facts only, since what is declared may be anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.model import MediaKind
from sessionkit.core.sniff import BIN
from sessionkit.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.assets import AssetName
    from sessionkit.core.pictures import Facts

_SHORTEST: Final = "-"
_SAFE: Final = str.maketrans({'"': "'", "\\": "/", "[": "(", "]": ")"})


@dataclass(frozen=True, slots=True)
class Note:
    """Why a medium was taken out, what it was as far as that could be measured, and which asset keeps it."""

    reason: str
    facts: Facts | None = None
    asset: AssetName | None = None
    kind: MediaKind = MediaKind.IMAGE

    def __str__(self) -> str:
        facts = " ".join(self._facts())
        parts = (self._head, *filter(None, (facts,)), *((f"{self._what} as {self.asset.reference}",) if self.asset else ()))
        return _clean(f"[{'; '.join(parts)}]")

    @property
    def forms(self) -> tuple[str, ...]:
        """The note and its shorter forms, for lines that must not get longer; the last is a single character."""
        return str(self), f"[{self.kind.value} removed]", _SHORTEST

    @property
    def _head(self) -> str:
        return f"{self.kind.value} removed: {self.reason}"

    @property
    def _what(self) -> str:
        """What is kept: of what does not decode its text, which is no picture."""
        return "its text kept" if self.facts is None and self.asset and self.asset.ext == BIN.ext else "kept"

    def _facts(self) -> Iterator[str]:
        """Tell type and pixels, then bytes; all of what is known."""
        if self.facts is None:
            return
        size = self.facts.size
        what = f"{self.facts.type.mime} {size.width}x{size.height}" if size else self.facts.type.mime
        yield f"{what}, {self.facts.bytes} bytes"


def over_length(limit: int) -> str:
    """Reason: too many characters."""
    return f"over {limit} base64 characters"


def over_side(limit: int) -> str:
    """Reason: too many pixels."""
    return f"side over {limit} px"


def over_side_among(limit: int, many: int) -> str:
    """Reason: too many pixels among many images."""
    return f"side over {limit} px among more than {many} images"


def over_request(limit: int) -> str:
    """Reason: the request is too large."""
    return f"request over {limit} bytes"


def over_count(limit: int) -> str:
    """Reason: too many images."""
    return f"over {limit} images"


def not_accepted(type_: str) -> str:
    """Reason: a type, by the bytes, that nobody takes."""
    return f"type {type_} is not accepted"


EMPTY: Final = "empty"
NOT_BASE64: Final = "not base64"


def _clean(text: str) -> str:
    """Keep to ASCII without quotes, backslashes and inner brackets, so that the text is the same in JSON."""
    inner = text[1:-1].translate(_SAFE)
    return f"[{''.join(letter if ' ' <= letter <= '~' else '?' for letter in inner)}]"
