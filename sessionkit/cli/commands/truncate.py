"""`sessionkit truncate`."""

from __future__ import annotations

import sys
from typing import Annotated

from sessionkit.cli.choices import among
from sessionkit.cli.declare import Option
from sessionkit.cli.sizes import parse_size
from sessionkit.errors import ExitCode, UsageError

EPILOG = """\b
Examples:
  sessionkit truncate < blocks.json
  make 2>&1 | sessionkit truncate --text --keep tail
  sessionkit truncate --view event --max-lines 20 < result.json
  jq .content result.json | sessionkit truncate --max-bytes 16KiB

\b
Standard input holds one result of a tool or several: a string, a list of
blocks, or the object that has them, as any vendor or agent writes it. The same
comes out, byte for byte but for the texts that are cut, with a line that says
how much is gone. A result with an image stays whole, and standard error says
so. No cut parts a code point, a data URL or a run of 64 characters of base64.
The input of a PostToolUse hook counts as well: its tool_response is cut.

\b
Exit codes: 0 done, whether anything was cut or not; 3 no JSON, or no result.
"""


def truncate(  # noqa: PLR0913  an option is a parameter
    *,
    keep: Annotated[
        str,
        Option(
            "--keep", metavar="head|tail", parser=among("head", "tail"), help="Keep the head, as of a file, or the tail, as of a command."
        ),
    ] = "head",
    max_bytes: Annotated[
        int | None,
        Option("--max-bytes", metavar="SIZE", parser=parse_size, help="Cut the texts of a result to SIZE in all [default: 50KiB]."),
    ] = None,
    max_lines: Annotated[int, Option("--max-lines", metavar="N", min=2, help="Cut the texts of a result to N lines in all.")] = 2000,
    text: Annotated[bool, Option("--text", help="Take standard input for plain text, and write such.")] = False,
    view: Annotated[
        str,
        Option(
            "--view",
            metavar="message|event",
            parser=among("message", "event"),
            help="Write all blocks, for the history, or their text alone, for a screen.",
        ),
    ] = "message",
) -> ExitCode:
    """Cut results of tools to size. Base64 is never cut in the middle."""
    from sessionkit.cli.voice import Voice, warn
    from sessionkit.ops import truncate as op
    from sessionkit.toolresult import LEAST_BYTES, LIMITS, Keep, Limits

    if max_bytes is not None and max_bytes < LEAST_BYTES:
        raise UsageError(f"--max-bytes {max_bytes} has no room for the line that tells of a cut", hint=f"give at least {LEAST_BYTES}")
    limits = Limits(LIMITS.bytes if max_bytes is None else max_bytes, max_lines, Keep(keep))
    pieces = op.read_pieces()
    if text:
        _write(op.truncate_plain(pieces, limits))
    elif view == "message":
        _write(op.truncate(b"".join(pieces), limits, warn))
    else:
        voice = Voice(sys.stdout)
        for line in op.show(b"".join(pieces), limits, _shown).splitlines():
            voice.quote(line)
    return ExitCode.OK


def _shown(text: str) -> str:
    """Spell a text as `Voice.quote` would, line by line, so that what it takes to escape is within the limits too."""
    from sessionkit.cli.printable import printable

    lines = ("\t".join(map(printable, line.split("\t"))) for line in text.splitlines())
    return "\n".join(lines) + "\n" * text.endswith("\n")


def _write(data: bytes) -> None:
    from sessionkit.cli.voice import writing_output

    with writing_output():
        sys.stdout.buffer.write(data)
