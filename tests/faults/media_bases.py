"""Good sessions whose media are easy to damage, and what they are damaged with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sessionkit.core.base64 import encode
from sessionkit.faults.places import Places
from tests.faults.workshop import Session
from tests.pictures import picture

if TYPE_CHECKING:
    from sessionkit.faults.exhibits import Exhibit

HTML = b"<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>\n"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>'
BMP = picture("BMP", size=(24, 16))
JPEG = picture("JPEG", size=(48, 32))
PNG = picture("PNG", size=(48, 32))


def read() -> Session:
    """Claude Code: seven pictures read by a tool, each with a twin. PNG, JPEG, WebP, GIF, JPEG, a large PNG, the first one again."""
    return Session.recorded("claude-code/compacted", 24)


def briefly_read() -> Session:
    """Claude Code: the first three of them, and a prompt that names no others."""
    return Session.recorded("claude-code/compacted", 11).with_value(3, "/message/content", "Compare the pages.")


def pasted() -> Session:
    """Claude Code: a PNG and a JPEG between texts of the user, then two that were read."""
    return Session.recorded("claude-code/session")


def queued() -> Session:
    """Claude Code: two that were read, and the third in a prompt that the user typed while the agent worked."""
    return Session.recorded("claude-code/parallel")


def served() -> Session:
    """Claude Code: the second of three is what an MCP server gave: the twin is a list of blocks."""
    session = briefly_read()
    block = json.loads(Places(session.lines[8]).text("/message/content/0/content/0"))
    shown = [{"type": "text", "text": "Took the screenshot"}, block]
    return session.with_value(9, "/message/content/0/content", shown).with_value(9, "/toolUseResult", shown)


def of_pi() -> Session:
    """Pi, for Anthropic: two pictures attached by the user, then seven that were read."""
    return Session.recorded("pi/session", 21)


def of_codex() -> Session:
    """Codex: two pictures in a message, then three in outputs."""
    return Session.recorded("codex/session", 24)


def in_history(address: str) -> Session:
    """Codex: a compaction whose list of messages, which takes the place of all before it, holds a picture at this address."""
    passed = "/payload/replacement_history/2/internal_chat_message_metadata_passthrough"
    session = Session.recorded("codex/compacted")
    session = session.with_items(56, "/payload/replacement_history/2/content", {"type": "input_image", "image_url": address})
    session = session.with_items(56, f"{passed}/content_item_kinds", "user.image")
    return session.with_items(56, f"{passed}/content_item_metadata", {"provenance": {"type": "user"}})


def of_qwen() -> Session:
    """qwen-code: one picture of the user, then six in results."""
    return Session.recorded("qwen-code/compacted", 28)


def of_gemini() -> Session:
    """Gemini CLI: one picture of the user, then six that were read; those stand beside the call too."""
    return Session.recorded("gemini-cli/session", 36)


def resumed() -> Session:
    """Gemini CLI: the same, after it was started again: all stand in a copy of the history, those that were read twice."""
    return Session.recorded("gemini-cli/session")


def of_native() -> Session:
    """Ours: one picture before a compaction, and a live one."""
    return Session.recorded("native/camel-case")


def plain() -> Session:
    """Messages as Anthropic takes them: a JPEG, a PDF, a PNG in a result, a GIF in a document of blocks."""
    return Session.recorded("plain/anthropic")


def first_of(session: Session, number: int) -> Exhibit:
    """The message that holds a picture first."""
    return session.picture(number)[0]


def alone(session: Session, number: int, text: str) -> Session:
    """Put a text in the place of a picture's base64 in the message only; twins and copies stay."""
    one = first_of(session, number)
    assert one.value is not None
    return session.with_value(one.line, one.value, one.prefix + text)


def block_of(session: Session, number: int) -> tuple[int, str]:
    """Line and pointer of the block of a picture in its message."""
    one = first_of(session, number)
    return one.line, one.block


def swollen(session: Session, *sizes: int) -> Session:
    """Put a small PNG with NULs behind its end in the place of the first pictures, everywhere: files of so many bytes."""
    marks = {f"{number:04}{'x' * 28}": PNG + bytes(size - len(PNG)) for number, size in enumerate(sizes)}
    for number, mark in enumerate(marks):
        session = session.with_text(number, mark).with_label(number, "image/png")
    texts = {mark.encode(): encode(data) for mark, data in marks.items()}
    return Session(tuple(_exchanged(line, texts) for line in session.lines))


def _exchanged(line: bytes, texts: dict[bytes, bytes]) -> bytes:
    for mark, text in texts.items():
        line = line.replace(mark, text)
    return line
