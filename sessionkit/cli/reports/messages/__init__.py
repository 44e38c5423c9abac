"""How `messages` shows a conversation."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sessionkit.cli.reports.skips import tell_skipped
from sessionkit.cli.voice import Verbosity, Voice

if TYPE_CHECKING:
    from sessionkit.ops.messages import Opened


def tell(opened: Opened, session: str, as_json: bool, verbose: bool) -> None:
    """Write the conversation on standard output, and on standard error what was passed over; all of it if that is wanted."""
    voice = Voice(sys.stdout)
    if as_json:
        from sessionkit.cli.reports.messages.json_lines import write_records

        write_records(opened, session, voice)
    else:
        from sessionkit.cli.reports.messages.plain import MessageText

        MessageText(opened.viewer, voice).write(opened.conversation.messages, verbose)
    quietly = Verbosity.QUIET if as_json else Verbosity.NORMAL  # a program finds it in the summary
    tell_skipped(opened.conversation.skipped, session, Voice(sys.stderr), Verbosity.VERBOSE if verbose else quietly)
