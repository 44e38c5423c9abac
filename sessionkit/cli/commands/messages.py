"""`sessionkit messages`."""

from __future__ import annotations

from typing import Annotated

from sessionkit.cli import options
from sessionkit.cli.declare import Option
from sessionkit.errors import ExitCode

EPILOG = """\b
Examples:
  sessionkit messages a.jsonl | less
  sessionkit messages a.jsonl --leaf 1a2b3c4d
  sessionkit messages a.jsonl --json | jq -r 'select(.role == "user")'
  sessionkit messages a.jsonl -v > /dev/null    only what was passed over

\b
Shown and marked, though most agents do not send them: answers that were
aborted or failed, and commands that were not for the model. Pictures are
shown by type, size and hash, and base64 in texts by its length.
"""


def messages(  # noqa: PLR0913  an option is a parameter
    *,
    session: options.OneSession,
    leaf: options.Leaf = None,
    session_format: options.Format = None,
    store: options.Store = None,
    as_json: Annotated[bool, Option("--json", help="Print JSON Lines: an object for each message, then a summary.")] = False,
    verbose: Annotated[bool, Option("-v", "--verbose", help="Print also what the model does not see, and what was passed over.")] = False,
) -> ExitCode:
    """Show the conversation that the model sees in the next request."""
    from sessionkit.cli.reports.messages import tell
    from sessionkit.ops.conversations import Selection
    from sessionkit.ops.messages import Options, open_conversation
    from sessionkit.ops.sources import find_one

    chosen = Options(Selection(session_format, leaf), store)
    with open_conversation(find_one(session), chosen) as opened:
        tell(opened, session, as_json, verbose)
    return ExitCode.OK
