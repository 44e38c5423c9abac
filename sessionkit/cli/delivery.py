"""Where a request body goes, and what it looks like there."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sessionkit.cli.voice import writing_output
from sessionkit.dataclass import dataclass
from sessionkit.errors import UsageError
from sessionkit.ops.rehydrate import Extent
from sessionkit.providers.body import Layout

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from sessionkit.ops.rehydrate import Rehydrated
    from sessionkit.ops.sources import Source

_END = "EOF"
"""No line of a body is this alone."""


@dataclass(frozen=True, slots=True)
class Form:
    """What the options say of the output; UsageError where they contradict each other."""

    output: Path | None
    force: bool
    pretty: bool
    messages_only: bool
    curl: bool

    def __post_init__(self) -> None:
        if self.curl and self.messages_only:
            raise UsageError("--curl sends a whole body, and --messages-only is none", hint="choose one of the two")

    @property
    def is_plain(self) -> bool:
        """Whether no option is set that only says how a body is written."""
        return not (self.output or self.pretty or self.messages_only or self.curl)

    def file(self, source: Source) -> Path | None:
        """Find the file to write for a session, None for standard output; UsageError for the session itself, and an archive's name."""
        if self.output is None:
            return None
        from sessionkit.ops.delivery import plan_file

        return plan_file(source, self.output)

    def deliver(self, result: Rehydrated, file: Path | None) -> int:
        """Write the body, and a command that sends it if that is wanted. Returns the bytes of the file, or of all that was printed."""
        pieces = result.pieces(Extent.MESSAGES if self.messages_only else Extent.ALL, Layout.INDENTED if self.pretty else Layout.COMPACT)
        if file is None:
            return _print(_in_command(pieces, result) if self.curl else pieces)
        size = self._write(pieces, file, result.source)
        if self.curl:
            _print([_command(result, str(file)) + b"\n"])
        return size

    def _write(self, pieces: Iterable[bytes], file: Path, source: Source) -> int:
        from sessionkit.ops.delivery import write_file
        from sessionkit.ops.outputs import Existing
        from sessionkit.ops.readers import common_mode

        return write_file(pieces, file, Existing.REPLACE if self.force else Existing.KEEP, common_mode([source]))


def _print(pieces: Iterable[bytes]) -> int:
    size = 0
    for piece in pieces:
        with writing_output():
            size += sys.stdout.buffer.write(piece)
    return size


def _in_command(pieces: Iterable[bytes], result: Rehydrated) -> Iterator[bytes]:
    """Let the shell hand the body over as it is: it looks at nothing up to the line that ends it."""
    yield b"%b <<'%b'\n" % (_command(result, "-"), _END.encode())
    yield from pieces
    yield b"\n%b\n" % _END.encode()


def _command(result: Rehydrated, file: str) -> bytes:
    from sessionkit.providers.curl import curl_command

    return curl_command(result.target, file).encode(errors="surrogateescape")
