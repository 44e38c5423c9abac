"""Lines that tell which pictures a summary leaves behind, so that the model can read them again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.compaction.base import Compat
from sessionkit.compaction.placeholders import kind_of
from sessionkit.compaction.slimming import media_in
from sessionkit.core.ecmajson import dumps
from sessionkit.core.model import Media, MediaSource, Role, Stored, ToolCall, ToolResult, media_of
from sessionkit.core.pictures import Facts
from sessionkit.dataclass import dataclass
from sessionkit.tokens.text import utf16_units

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sessionkit.core.model import Message
    from sessionkit.core.pictures import Trouble

    Look: TypeAlias = "Callable[[Media], Facts | Trouble]"

Identity: TypeAlias = "str | MediaSource"
"""What tells a picture from others: the SHA-256 of its bytes, or where they should be."""

_ARGUMENTS = ("path", "file_path", "absolute_path", "filename", "file")
_LONGEST_NAME = 256

_hidden = re.compile("[\\[\\]\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]")
"""What could close the line's bracket, or not be seen; beyond what JSON escapes anyway."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A medium where it stands, and what file it is, by its name or by the call that asked for it; empty if neither tells."""

    media: Media
    file: str


@dataclass(frozen=True, slots=True)
class Tombstones:
    """How to write them: by what is known of media, and so many at most, the newest."""

    look: Look
    most: int = 20
    compat: Compat = Compat.NO

    def lines(self, messages: Sequence[Message], cut: int) -> list[str]:
        """Write one for each distinct picture before the cut that is not among those behind it."""
        lines = [*self.each(sights(messages[:cut]), media_of(messages[cut:])).values()]
        older = max(0, len(lines) - self.most)
        return [f"[{older} older media without a tombstone]", *lines[older:]] if older else lines

    def each(self, lost: Iterable[Sight], seen: Iterable[Media]) -> dict[Identity, str]:
        """Write one for each distinct picture that was lost and is not seen elsewhere, in the order of appearance.

        The first name of any of its copies counts; the asset's is the last resort, so that spilling changes no other name.
        """
        known = set(map(self.identity, seen))
        first: dict[Identity, Media] = {}
        files: dict[Identity, str] = {}
        for sight in lost:
            identity = self.identity(sight.media)
            if identity not in known:
                first.setdefault(identity, sight.media)
                files[identity] = files.get(identity) or sight.file
        return {identity: self._line(media, files[identity] or _asset(media)) for identity, media in first.items()}

    def identity(self, media: Media) -> Identity:
        """Find out which picture it is."""
        return self._digest(media) or media.source

    def _line(self, media: Media, file: str) -> str:
        name = _quote(file, self.compat) if file else ""
        told = ", ".join(self._facts(media, name))
        use = f" Use read({name}) to re-inspect" if name else ""
        return f"[{kind_of(media).capitalize()} Tombstone{told and f': {told}'}] (Base64 dropped.{use})"

    def _facts(self, media: Media, name: str) -> Iterator[str]:
        if name:
            yield f"file={name}"
        known = self._known(media)
        if size := (known and known.size) or media.size:
            yield f"{size.width}x{size.height}"
        if digest := self._digest(media):
            yield f'sha256="{digest}"'

    def _known(self, media: Media) -> Facts | None:
        """Look at it; what is in trouble may still have bytes."""
        found = self.look(media)
        return found if isinstance(found, Facts) else found.facts

    def _digest(self, media: Media) -> str:
        """Return the SHA-256 of its bytes, by which an asset is named whether it is still there or not; empty if there are none."""
        if isinstance(media.source, Stored):
            return media.source.asset.digest
        known = self._known(media)
        return known.sha256 if known else ""


def sights(messages: Iterable[Message]) -> Iterator[Sight]:
    """Find the media of messages, in order; a result's name is told by the call that it answers."""
    calls: dict[str, str] = {}
    for message in messages:
        for block in message.content if message.role is not Role.SYSTEM else ():
            if isinstance(block, ToolCall):
                calls[block.id] = _asked(block)
            asked = calls.get(block.call_id, "") if isinstance(block, ToolResult) else ""
            for media in media_in(block):
                yield Sight(media, _first_name(media.name, asked))


def _asked(call: ToolCall) -> str:
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    return _first_name(*(arguments.get(name) for name in _ARGUMENTS))


def _asset(media: Media) -> str:
    return media.source.asset.reference if isinstance(media.source, Stored) else ""


def _first_name(*names: object) -> str:
    return next((name for name in names if isinstance(name, str) and name and utf16_units(name) <= _LONGEST_NAME), "")


def _quote(name: str, compat: Compat) -> str:
    """Write a name as a JSON string that shows all that is in it."""
    if compat is Compat.UPSTREAM:
        return f'"{name}"'
    return _hidden.sub(_escape, dumps(name))


def _escape(found: re.Match[str]) -> str:
    return re.sub("(....)", r"\\u\1", found[0].encode("utf-16-be").hex())
