"""Annotations of GitHub Actions, which show beside the files of a pull request."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from sessionkit.cli.printable import readable, without_base64

if TYPE_CHECKING:
    from sessionkit.cli.voice import Voice
    from sessionkit.errors import Place
    from sessionkit.ops.failed import Failed


class Command(StrEnum):
    """How an annotation looks. GitHub shows only the first ten of each a step."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"


class Annotations:
    """Writes workflow commands."""

    def __init__(self, voice: Voice) -> None:
        self._voice = voice

    def write(self, command: Command, place: Place | None, title: str, message: str) -> None:
        """Write one; a place without a line is about the whole file."""
        properties = {"title": f"sessionkit {title}"}
        if place is not None:
            properties = {"file": without_base64(readable(place.path)), **({"line": str(place.line)} if place.line else {}), **properties}
        listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
        self._voice.line(f"::{command} {listed}::{_data(message)}")

    def failure(self, failed: Failed) -> None:
        """Write that a session could not be read."""
        error = failed.error
        why = f": {error.why}" if error.why else ""
        session = f"\nwhile working on {failed.unnamed}" if failed.unnamed else ""
        hint = f"\nnext: {error.hint}" if error.hint else ""
        self.write(Command.ERROR, error.place, "failed", without_base64(f"{error.what}{why}{session}{hint}"))


def _data(text: str) -> str:
    """Escape a message as the runner unescapes it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape a property: the signs that end one, too."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
