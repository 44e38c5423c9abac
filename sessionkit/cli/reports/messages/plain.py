"""A conversation for people to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.printable import printable, shorten
from sessionkit.cli.reports.messages.elision import without_base64
from sessionkit.cli.sizes import count
from sessionkit.cli.voice import Style
from sessionkit.core.ecmajson import dumps
from sessionkit.core.model import Media, Role, Shell, StopReason, Text, Thinking, ToolCall, ToolResult, Unsupported, Uri, UserKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.cli.voice import Voice
    from sessionkit.core.model import Block, Json, Message
    from sessionkit.ops.messages import Viewer

_STEP = "  "
_DIGITS = 12
"""Of a hash: enough to tell the pictures of a session from each other."""
_LONGEST_NAME = 60
_BROKEN_OFF = frozenset({StopReason.ERROR, StopReason.ABORTED})
_LEFT_OUT = "most agents leave it out of the next request"
_KINDS = {UserKind.NOTE: " (note)", UserKind.BRANCH_SUMMARY: " (summary of another branch)", UserKind.SHELL: " (shell)"}


class MessageText:
    """A heading for each message, with its place in the file, and its blocks below it."""

    def __init__(self, viewer: Viewer, voice: Voice) -> None:
        self._viewer = viewer
        self._voice = voice

    def write(self, messages: Iterable[Message], verbose: bool) -> None:
        """Write the messages; those that the model does not see only if asked."""
        is_first = True
        for message in messages:
            if message.role is Role.META and not verbose:
                continue
            if not is_first:
                self._voice.line()
            is_first = False
            self._voice.line(_heading(message), Style.HEADING)
            for line in (*_sections(message), *self._blocks(message.content)):
                self._voice.line(_STEP + line if line else "")

    def _blocks(self, blocks: Iterable[Block]) -> Iterator[str]:
        for block in blocks:
            yield from self._block(block)

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case Text(text):
                yield from _lines(text)
            case Thinking():
                yield from _below("thinking:", _lines(block.text or "[not readable]"))
            case Media():
                yield self._media(block)
            case ToolCall():
                yield from _below(f"call {_name(block.name)}:", _arguments(block.arguments))
            case ToolResult():
                failed = ", an error" if block.is_error else ""
                yield from _below(f"result of {_name(block.name or block.call_id) or 'a call'}{failed}:", self._blocks(block.content))
            case Shell():
                yield from _below(f"$ {without_base64(block.command)}{_fate(block)}", _lines(block.output))
            case Unsupported():
                yield f"[unsupported block: {_name(block.type) or 'without a type'}]"

    def _media(self, media: Media) -> str:
        view = self._viewer.view(media)
        parts = [view.media_type or "unknown type"]
        if view.size:
            parts.append(f"{view.size.width}x{view.size.height}")
        if view.sha256:
            parts.append(f"sha256:{view.sha256[:_DIGITS]}…")
        if isinstance(media.source, Uri):
            parts.append(_name(media.source.uri))
        if media.name:
            parts.append(_name(media.name))
        if view.fault:
            parts.append(f"({view.fault})")
        return f"[{media.kind}: {' '.join(map(printable, parts))}]"


def _heading(message: Message) -> str:
    origin = message.origin
    line = f"line {origin.line}" if origin.line else "not in the session"
    place = line + (f", entry {_name(origin.entry)}" if origin.entry else "")
    before = "" if message.tokens_before is None else f" of {count(message.tokens_before, 'token')}"
    kind = _KINDS.get(message.kind, "") if message.role is Role.USER else ""
    end = f" ({message.stop_reason}: {_LEFT_OUT})" if message.stop_reason in _BROKEN_OFF else ""
    return f"{message.role}{kind}{before}{end}  {place}"


def _sections(message: Message) -> Iterator[str]:
    """Name the sections of a system prompt, which Pi keeps beside its content."""
    sections = message.carried.get("sections")
    if message.role is Role.SYSTEM and isinstance(sections, dict) and sections:
        yield f"[sections: {', '.join(map(_name, sections))}]"


def _below(heading: str, lines: Iterable[str]) -> Iterator[str]:
    """Lines indented below what they belong to."""
    yield heading
    for line in lines:
        yield _STEP + line if line else ""


def _lines(text: str) -> Iterator[str]:
    """Lines of a text as they stand in it; tabs become spaces, because a tab is no printable character."""
    if text:
        for line in without_base64(text).removesuffix("\n").split("\n"):
            yield line.removesuffix("\r").expandtabs(4)


def _arguments(arguments: Json) -> Iterator[str]:
    """A line for each argument; long texts below their names."""
    if not isinstance(arguments, dict):
        yield without_base64(dumps(arguments))
        return
    for name, value in arguments.items():
        match value:
            case str() if "\n" in value:
                yield from _below(f"{name}:", _lines(value))
            case str():
                yield f"{name}: {without_base64(value)}"
            case _:
                yield f"{name}: {without_base64(dumps(value))}"


def _fate(shell: Shell) -> str:
    fates = [
        "cancelled" if shell.cancelled else "",
        f"exit code {shell.exit_code}" if shell.exit_code else "",
        "not for the model" if shell.excluded else "",
    ]
    told = ", ".join(filter(None, fates))
    return f"  ({told})" if told else ""


def _name(text: str) -> str:
    return shorten(printable(without_base64(text)), _LONGEST_NAME)
