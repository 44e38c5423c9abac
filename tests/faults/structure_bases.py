"""Good sessions whose chains and lines are easy to damage, and how they are damaged."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta

from sessionkit.faults.places import Places
from tests.faults.workshop import Session

PROMPT_AFTER = "Which of them is the widest?"


def chain() -> Session:
    """Claude Code: a prompt, two attachments, then three pictures read, each a line of its own; an answer at the end. 13 lines."""
    return answered(Session.recorded("claude-code/compacted", 11))


def slow_chain(seconds: float = 8) -> Session:
    """The same, with so many seconds between its records."""
    return spaced(chain(), seconds)


def answered(session: Session) -> Session:
    """Let Claude Code answer behind the last line, and the user ask on."""
    last = json.loads(session.lines[-1])
    answer = json.loads(Session.recorded("claude-code/compacted").lines[22])
    prompt = {name: value for name, value in last.items() if name not in {"toolUseResult", "sourceToolAssistantUUID"}}
    answer |= {"parentUuid": last["uuid"]}
    prompt |= {"parentUuid": answer["uuid"], "uuid": "5d0f6f0e-7a35-4a53-9b0b-6a6fd7a1c001", "timestamp": "2026-11-30T13:14:55.100Z"}
    prompt["message"] = {"role": "user", "content": PROMPT_AFTER}
    return replace(session, lines=(*session.lines, line(answer), line(prompt)))


def of_pi() -> Session:
    """Pi: a header, two changes, the prompt of the system, two of the user, three calls with results, and a fourth call. 14 lines."""
    return Session.recorded("pi/session", 14)


def of_codex() -> Session:
    """Codex: header to the first two outputs of a tool."""
    return Session.recorded("codex/session", 22)


def of_qwen() -> Session:
    """qwen-code: one picture of the user, the first of those that were read."""
    return Session.recorded("qwen-code/compacted", 14)


def of_gemini() -> Session:
    """Gemini CLI: one picture of the user, two that were read."""
    return Session.recorded("gemini-cli/session", 14)


def spaced(session: Session, seconds: float) -> Session:
    """Put so many seconds between the records that have a time; what each of them says of its own parts stays."""
    start, lines = datetime.fromisoformat("2026-11-30T13:00:00.000Z"), []
    for at, raw in enumerate(session.lines):
        stamp = (start + timedelta(seconds=seconds * at)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        lines.append(Session((raw,)).with_value(1, "/timestamp", stamp).content if Places(raw).has("/timestamp") else raw)
    return replace(session, lines=tuple(lines))


def with_bytes(session: Session, at: int, old: bytes, new: bytes) -> Session:
    """Put other bytes in the place of some of a line, which stand there once."""
    raw = session.lines[at - 1]
    assert raw.count(old) == 1
    return replace(session, lines=(*session.lines[: at - 1], raw.replace(old, new), *session.lines[at:]))


def glued(session: Session, at: int, count: int = 2) -> Session:
    """Take the line feeds between so many records away."""
    lines = session.lines[at - 1 : at - 1 + count]
    joined = b"".join(raw.rstrip(b"\n") for raw in lines) + b"\n"
    return replace(session, lines=(*session.lines[: at - 1], joined, *session.lines[at - 1 + count :]))


def stubbed(session: Session, at: int, size: int) -> Session:
    """Leave so many bytes of a line, and let the next one stand behind them."""
    stub = session.lines[at - 1][:size]
    return replace(session, lines=(*session.lines[: at - 1], stub + session.lines[at], *session.lines[at + 1 :]))


def cut(session: Session, at: int, size: int) -> Session:
    """Let the session end after so many bytes of a line."""
    return replace(session, lines=(*session.lines[: at - 1], session.lines[at - 1][:size]))


def doubled(session: Session) -> Session:
    """Write every line twice."""
    return replace(session, lines=tuple(raw for one in session.lines for raw in (one, one)))


def line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
