"""The file that a page goes to."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sessionkit.cli.voice import writing_output
from sessionkit.dataclass import dataclass
from sessionkit.errors import UsageError
from sessionkit.ops.delivery import plan_file, write_file
from sessionkit.ops.readers import common_mode

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from sessionkit.ops.outputs import Existing
    from sessionkit.ops.sources import Source

_HINT = "-o page.html names a file, -o - is standard output"


@dataclass(slots=True)
class Sheet:
    """Where a page is written, and with which mode; `file` None is standard output. `size` are the bytes of what was written."""

    file: Path | None
    existing: Existing
    mode: int
    size: int = 0

    def deliver(self, pieces: Iterable[bytes]) -> None:
        """Write the pieces; a file appears whole or not at all. Raises what `write_file` raises."""
        if self.file is not None:
            self.size = write_file(pieces, self.file, self.existing, self.mode)
            return
        for piece in pieces:
            with writing_output():
                self.size += sys.stdout.buffer.write(piece)


def plan_sheet(output: Path | None, sources: Sequence[Source], existing: Existing) -> Sheet:
    """Find the file to write. Raises UsageError where none is named, and for a session, an archive's name and that of an asset."""
    if output is None:
        raise UsageError("no output is named", hint=_HINT)
    files = {plan_file(source, output) for source in sources}
    return Sheet(files.pop(), existing, common_mode(sources))
