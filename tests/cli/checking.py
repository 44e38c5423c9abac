"""Sessions to check, by what is wrong with them."""

from __future__ import annotations

from pathlib import Path

from tests.faults.workshop import Session


def write(name: str, session: Session) -> Path:
    """Write a session, and the folder it is in."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(session.content)
    return path


def write_files() -> None:
    """Write one of each kind into the working folder."""
    pi = Session.recorded("pi/session")
    empty = pi.with_items(11, "/message/content", {"type": "text", "text": ""})
    write("good.jsonl", pi)
    write("bricked.jsonl", empty)
    write("label.jsonl", pi.with_label(1, "image/png"))
    write("degraded.jsonl", Session.recorded("claude-code/session").with_label(1, "image/png"))
    compacted = Session.recorded("claude-code/compacted")
    write("notes.jsonl", compacted)
    write("asleep.jsonl", compacted.with_items(7, "/message/content/0/content", {"type": "text", "text": ""}))
    Path("no.jsonl").write_text("hello\n")
