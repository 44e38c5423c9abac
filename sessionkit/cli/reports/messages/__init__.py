"""How `messages` shows a conversation."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sessionkit.cli.reports.notes import NoteDigest
from sessionkit.cli.voice import Verbosity, Voice
from sessionkit.errors import Place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.core.model import Skipped
    from sessionkit.ops.messages import Opened


def tell(opened: Opened, session: str, as_json: bool, verbose: bool) -> None:
    """Write the conversation on standard output, and on standard error what was passed over, if that is wanted."""
    voice = Voice(sys.stdout)
    if as_json:
        from sessionkit.cli.reports.messages.json_lines import write_records

        write_records(opened, session, voice)
    else:
        from sessionkit.cli.reports.messages.plain import MessageText

        MessageText(opened.viewer, voice).write(opened.conversation.messages, verbose)
    if verbose:
        _tell_skipped(opened.conversation.skipped, session)


def _tell_skipped(skipped: Iterable[Skipped], session: str) -> None:
    digest = NoteDigest(Verbosity.VERBOSE)
    for skip in skipped:
        digest.add(skip.cause, Place(session, skip.origin.line or None, skip.origin.pointer or None))
    digest.tell(Voice(sys.stderr), "passed over")
