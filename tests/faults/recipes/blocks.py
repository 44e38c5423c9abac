"""Blocks with a part missing, where none may stand, or with a document that is none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sessionkit.core.base64 import encode
from sessionkit.faults.places import Places
from tests.faults.media_bases import HTML, PNG, block_of, briefly_read, first_of, of_codex, of_gemini, of_pi, of_qwen, pasted, plain, read
from tests.faults.recipe import Recipe

if TYPE_CHECKING:
    from tests.faults.workshop import Session

SHAPE = "source-shape"
ANSWER = "assistant-image"
DOCUMENT = "bad-document"

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": encode(PNG).decode()}}
CUT_PDF = b"%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\n"


def without_value(session: Session, number: int) -> Session:
    """Take the member that holds the data away, in the message."""
    one = first_of(session, number)
    assert one.value is not None
    return session.without(one.line, one.value)


def without_label(session: Session, number: int) -> Session:
    one = first_of(session, number)
    assert one.label is not None
    return session.without(one.line, one.label)


def without_source(session: Session, number: int) -> Session:
    line, block = block_of(session, number)
    return session.without(line, f"{block}/source")


def unknown(session: Session, number: int) -> Session:
    line, block = block_of(session, number)
    return session.with_value(line, f"{block}/source/type", "asset")


def blind(session: Session, line: int) -> Session:
    """Empty the twin of a line."""
    return session.with_value(line, "/toolUseResult/file/base64", "")


def answered(session: Session, line: int) -> Session:
    """Put an image before the last text of what the model said."""
    texts = json.loads(Places(session.lines[line - 1]).text("/message/content"))
    return session.with_value(line, "/message/content", [*texts[:-1], IMAGE, *texts[-1:]])


def thinking(session: Session, line: int) -> Session:
    thought = {"type": "thinking", "thinking": "Two of them.", "signature": "c2ln"}
    texts = json.loads(Places(session.lines[line - 1]).text("/message/content"))
    return session.with_value(line, "/message/content", [thought, *texts])


def documented(data: bytes) -> Session:
    """Claude Code: the second of three is a PDF; its block stands on a line of its own, behind the result that tells of it."""
    session = briefly_read()
    text = encode(data).decode()
    result = json.loads(session.lines[8])
    document = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": text}}
    meta = {
        name: result[name]
        for name in ("isSidechain", "promptId", "type", "timestamp", "userType", "entrypoint", "cwd", "sessionId", "version")
    }
    meta |= {"parentUuid": result["uuid"], "uuid": "d0c00000-0000-4000-8000-000000000001", "isMeta": True}
    meta |= {"message": {"role": "user", "content": [document]}}
    told = "PDF file read: /home/user/project/report.pdf (1KB)"
    file = {"filePath": "/home/user/project/report.pdf", "base64": text, "originalSize": len(data)}
    session = session.with_value(9, "/message/content/0/content", told).with_value(9, "/toolUseResult", {"type": "pdf", "file": file})
    session = session.with_value(10, "/parentUuid", meta["uuid"])
    return session.with_line(9, session.lines[8] + json.dumps(meta, separators=(",", ":")).encode() + b"\n")


RECIPES = [
    Recipe("claude-code", SHAPE, lambda: without_value(briefly_read(), 1), "no-data"),
    Recipe("claude-code", SHAPE, lambda: blind(without_value(briefly_read(), 1), 9), "no-data-anywhere"),
    Recipe("claude-code", SHAPE, lambda: without_label(briefly_read(), 1), "no-media-type"),
    Recipe("claude-code", SHAPE, lambda: without_label(pasted(), 1), "no-media-type-pasted"),
    Recipe("claude-code", SHAPE, lambda: without_source(briefly_read(), 1), "no-source"),
    Recipe("claude-code", SHAPE, lambda: unknown(briefly_read(), 1), "unknown-type"),
    Recipe("pi", SHAPE, lambda: without_value(without_label(of_pi(), 0), 4)),
    Recipe("codex", SHAPE, lambda: without_value(of_codex(), 3)),
    Recipe("qwen-code", SHAPE, lambda: without_value(of_qwen(), 2), "asked", frozenset({SHAPE})),
    Recipe("gemini-cli", SHAPE, lambda: without_value(of_gemini(), 0)),
    Recipe("plain", SHAPE, lambda: without_label(plain(), 2)),
    Recipe("claude-code", ANSWER, lambda: answered(read(), 23)),
    Recipe("claude-code", ANSWER, lambda: thinking(answered(read(), 23), 23), "with-thinking"),
    Recipe("claude-code", DOCUMENT, lambda: documented(CUT_PDF)),
    Recipe("claude-code", DOCUMENT, lambda: documented(HTML), "html"),
    Recipe("plain", DOCUMENT, lambda: plain().with_text(1, encode(CUT_PDF).decode())),
]
