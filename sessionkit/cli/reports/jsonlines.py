"""JSON Lines: an object for each session, and a summary last. The schemas stand in `sessionkit/cli/schemas/`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sessionkit.cli.printable import readable, without_base64

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.cli.voice import Voice
    from sessionkit.core.stores.addresses import Address
    from sessionkit.errors import ExitCode, SessionkitError
    from sessionkit.ops.failed import Failed
    from sessionkit.ops.ledger import Note
    from sessionkit.ops.sources import Source

Record: TypeAlias = dict[str, object]


class JsonLines:
    """Writes records. Each names its schema and its type: `session` or `summary`, and what else a command has."""

    def __init__(self, voice: Voice, command: str) -> None:
        self._voice = voice
        self._command = command
        self._sessions = 0
        self._failed = 0
        self._left_out = 0

    def session(self, source: Source, record: Record) -> None:
        """Write the record of a session: its path, the archives left out for it, `status`, and all figures."""
        self._sessions += 1
        self._left_out += len(source.shadowed)
        left_out = [name(path) for path in source.shadowed]
        self.write("session", {"session": without_base64(name(source.path)), **record, "left_out": left_out})

    def failure(self, failed: Failed) -> None:
        """Write that a session failed, and why."""
        self._failed += 1
        self.session(failed.source, {"status": "failed", "error": error_record(failed.error)})

    def summary(self, sums: Record, code: ExitCode) -> None:
        """Write the last record."""
        numbers = {"sessions": self._sessions, "failed": self._failed, "left_out": self._left_out}
        self.write("summary", {**numbers, **sums, "exit_code": int(code)})

    def write(self, kind: str, record: Record) -> None:
        """Write one record, in ASCII: a terminal shows no character that acts on it."""
        import json

        written = json.dumps({"schema": f"sessionkit.{self._command}/1", "type": kind, **record}, separators=(",", ":"))
        self._voice.line(written.replace("\x7f", "\\u007f"))


def name(address: Address | str) -> str:
    """Path or address of a store as a JSON string that every reader accepts."""
    return readable(str(address))


def text(words: str) -> str:
    """Words that may quote a path, as a JSON string that every reader accepts: no lone surrogates."""
    return words.encode(errors="backslashreplace").decode()


def error_record(error: SessionkitError) -> Record:
    """An error with its place."""
    place = error.place
    return {
        "kind": type(error).__name__,
        "what": without_base64(text(error.what)),
        "path": without_base64(name(place.path)) if place else None,
        "line": place.line if place else None,
        "pointer": text(place.pointer) if place and place.pointer is not None else None,
        "why": without_base64(text(error.why)),
        "hint": text(error.hint),
        "exit_code": int(error.exit_code),
    }


def note_records(notes: Iterable[Note]) -> list[Record]:
    """Notes, in the order of the lines."""
    return [{"line": note.line, "pointer": text(note.pointer), "cause": text(note.cause)} for note in notes]
