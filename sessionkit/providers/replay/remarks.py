"""What a rule of replay gives back: the messages, and what a person must know about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from sessionkit.core.model import NOWHERE, Message, Origin
from sessionkit.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Note:
    """A warning: something is not sent, or otherwise than the session holds it. `option` is what one of `rehydrate` does about it."""

    text: str
    origin: Origin = NOWHERE
    option: str = ""

    @property
    def advised(self) -> str:
        """The text, for those who have that option."""
        return _joined(self.text, self.option)

    def __str__(self) -> str:
        return _placed(self.text, self.origin)


@dataclass(frozen=True, slots=True)
class SendingFault:
    """Why nothing can be sent, and what to do about it; `option` is what one of `rehydrate` does."""

    text: str
    origin: Origin = NOWHERE
    hint: str = ""
    option: str = ""

    @property
    def advice(self) -> str:
        """The hint, for those who have that option."""
        return _joined(self.hint, self.option)

    def __str__(self) -> str:
        return _placed(self.text, self.origin)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The messages after a rule."""

    messages: tuple[Message, ...]
    notes: tuple[Note, ...] = ()
    faults: tuple[SendingFault, ...] = ()


Rule: TypeAlias = Callable[[tuple[Message, ...]], Outcome]
"""Makes of messages what can be sent; they themselves are not changed."""


def _joined(*parts: str) -> str:
    return "; ".join(filter(None, parts))


def _placed(text: str, origin: Origin) -> str:
    """Put the place before a text: `line 18, entry 4a787b67, /message/content/1: …`."""
    line = f"line {origin.line}" if origin.line else ""
    entry = f"entry {origin.entry}" if origin.entry else ""
    place = ", ".join(filter(None, (line, entry, origin.pointer)))
    return f"{place}: {text}" if place else text
