"""Fixtures of what is odd in a record: empty texts, lists that do not fit, what can only be told; and of what only weighs."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

from sessionkit.faults.places import Places
from tests.faults.recipe import Recipe
from tests.faults.structure_bases import chain, of_codex, of_pi, of_qwen
from tests.faults.workshop import Session

EMPTY = {"type": "text", "text": ""}
BLANK = {"type": "text", "text": " \n"}
COMPACTED = ("claude-code", "pi", "qwen-code", "codex")
OTHER = "0f0e0d0c-0b0a-4908-8706-050403020100"


def beside_an_image(session: Session, line: int, content: str) -> Session:
    return session.with_items(line, content, EMPTY)


def alone(session: Session, line: int, content: str) -> Session:
    return session.with_value(line, content, [BLANK, EMPTY])


def pasted() -> Session:
    return Session.recorded("claude-code/session").with_value(3, "/message/content/2/text", "")


def plain() -> Session:
    return Session.recorded("plain/anthropic").with_items(1, "/content", EMPTY)


def without_metadata() -> Session:
    session = Session.recorded("claude-code/compacted")
    at = next(at for at, raw in enumerate(session.lines, 1) if b'"subtype":"compact_boundary"' in raw)
    return session.without(at, "/compactMetadata")


def with_short_metadata() -> Session:
    session = Session.recorded("codex/compacted")
    at = next(at for at, raw in enumerate(session.lines, 1) if b'"type":"compacted"' in raw)
    return session.without(at, "/payload/replacement_history_metadata/0")


def with_short_kinds() -> Session:
    return of_codex().without(8, "/payload/internal_chat_message_metadata_passthrough/content_item_kinds/0")


def with_text_bomb() -> Session:
    session = chain()
    picture = json.loads(Places(Session.recorded("claude-code/compacted").lines[17]).text("/message/content/0/content/0/source/data"))
    block = json.dumps({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": picture}})
    return session.with_value(11, "/message/content/0/content", block)


def without_header(session: Session) -> Session:
    return replace(session, lines=session.lines[1:])


def mixed(session: Session, line: int) -> Session:
    return session.with_value(line, "/sessionId", OTHER)


def pasted_again() -> Session:
    """Claude Code: the user pastes the first picture of line 3 once more, and nothing else."""
    session = Session.recorded("claude-code/session")
    prompt, last = json.loads(session.lines[2]), json.loads(session.lines[10])
    prompt["message"]["content"] = prompt["message"]["content"][1:2]
    prompt |= {"parentUuid": last["uuid"], "uuid": "5d0f6f0e-7a35-4a53-9b0b-6a6fd7a1c003"}
    line = json.dumps(prompt, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    return replace(session, lines=(*session.lines, line))


def compacted(format_: str) -> Session:
    return Session.recorded(f"{format_}/compacted")


def sidechain() -> Session:
    """Claude Code: a subagent has looked at the first picture."""
    return Session.recorded("claude-code/parallel").with_value(10, "/message/content", [_picture()])


def _picture() -> object:
    return json.loads(Places(chain().lines[6]).text("/message/content/0/content/0"))


def slimmed(kind: str) -> frozenset[str]:
    return frozenset({f"slim {kind}"})


RECIPES = [
    Recipe("claude-code", "empty-text", lambda: beside_an_image(chain(), 9, "/message/content/0/content")),
    Recipe("claude-code", "empty-text", lambda: alone(chain(), 9, "/message/content/0/content"), "alone"),
    Recipe("claude-code", "empty-text", pasted, "pasted"),
    Recipe("pi", "empty-text", lambda: of_pi().with_value(9, "/message/content/0/text", "")),
    Recipe("plain", "empty-text", plain),
    Recipe("claude-code", "compact-metadata", without_metadata),
    Recipe("codex", "codex-history-shape", with_short_metadata),
    Recipe("codex", "codex-history-shape", with_short_kinds, "kinds"),
    Recipe("claude-code", "text-bomb", with_text_bomb),
    Recipe("pi", "header-missing", lambda: without_header(of_pi())),
    Recipe("codex", "header-missing", lambda: without_header(of_codex())),
    Recipe("claude-code", "mixed-sessions", lambda: mixed(chain(), 12)),
    Recipe("qwen-code", "mixed-sessions", lambda: mixed(of_qwen(), 12)),
    Recipe("gemini-cli", "doubled-results", lambda: Session.recorded("gemini-cli/session")),
    Recipe("claude-code", "wrong-picture", pasted_again),
    Recipe("claude-code", "twin-bytes", chain, options=slimmed("twins")),
    *(Recipe(format_, "dead-images", partial(compacted, format_), options=slimmed("dead")) for format_ in COMPACTED),
    Recipe("gemini-cli", "dead-images", lambda: Session.recorded("gemini-cli/session"), options=slimmed("dead")),
    Recipe("pi", "repeated-image", lambda: Session.recorded("pi/session"), options=slimmed("repeats")),
    Recipe("claude-code", "off-path-images", sidechain, options=slimmed("off-path")),
]
