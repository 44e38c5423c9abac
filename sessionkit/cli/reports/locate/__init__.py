"""What `locate` tells: as text, or JSON Lines."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sessionkit.cli.voice import Verbosity, Voice
from sessionkit.errors import ExitCode, SessionkitError
from sessionkit.ops.locate import Certainty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.ops.locate import Located
    from sessionkit.ops.sources import Source


@contextmanager
def telling_failures(source: Source, as_json: bool) -> Iterator[None]:
    """Let programs read of a failure, which goes on; people read of it on standard error."""
    try:
        yield
    except SessionkitError as error:
        if as_json:
            from sessionkit.cli.reports.locate.json_lines import write_failure

            write_failure(source, error, Voice(sys.stdout))
        raise


def tell(located: Located, verbosity: Verbosity, as_json: bool) -> ExitCode:
    """Write the answer on standard output, and return how to exit."""
    code = ExitCode.OK if located.answer.verdict is Certainty.ONE else ExitCode.FINDINGS
    if as_json:
        from sessionkit.cli.reports.locate.json_lines import write_records

        write_records(located, Voice(sys.stdout), code)
    elif verbosity is not Verbosity.QUIET:
        from sessionkit.cli.reports.locate.plain import LocateText

        LocateText(located, Voice(sys.stdout), verbosity).write()
    return code
