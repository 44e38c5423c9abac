"""`sessionkit locate`."""

from __future__ import annotations

from typing import Annotated

from sessionkit.cli import options
from sessionkit.cli.declare import Option
from sessionkit.errors import ExitCode, UsageError

EPILOG = """\b
Examples:
  sessionkit locate a.jsonl --error 'messages.41.content.31.image.source…'
  sessionkit locate a.jsonl --error @error.log
  pbpaste | sessionkit locate a.jsonl --error -
  sessionkit locate a.jsonl --error 'Could not process image' --json

\b
The text can be a line that was printed, a JSON body, or a part of a log: with
escapes, wrapped, and behind the names of other programs. Numbers count before
the rule that is named, the rule before the place: its numbers are those of a
request that is not here. They are counted as the session's agent does, or as
--client says: claude-code, codex, pi; pi also for bodies of `rehydrate`.

\b
Exit codes: 0 there is one hit; 1 none, or several; 2 usage; 3 not readable.
"""


def locate(  # noqa: PLR0913  an option is a parameter
    *,
    session: options.OneSession,
    error: Annotated[str, Option("--error", metavar="TEXT", help="Read what the provider said: TEXT, - for standard input, or @FILE.")],
    client: Annotated[
        str | None, Option("--client", metavar="NAME", help="Count messages as this client does [default: as the session's agent].")
    ] = None,
    leaf: options.Leaf = None,
    session_format: options.Format = None,
    store: options.Store = None,
    as_json: Annotated[bool, Option("--json", help="Print JSON Lines: an object for each hit, then a summary.")] = False,
    quiet: options.Quiet = False,
    verbose: Annotated[bool, Option("-v", "--verbose", help="Print all hits, however many.")] = False,
) -> ExitCode:
    """Find the line and image that a provider's error is about."""
    from sessionkit.cli.reports.locate import tell, telling_failures
    from sessionkit.cli.voice import Verbosity
    from sessionkit.ops import locate as op
    from sessionkit.ops.conversations import Selection
    from sessionkit.ops.locate.texts import STDIN, text_of
    from sessionkit.ops.sources import find_one
    from sessionkit.providers.layouts import layout_of

    source = find_one(session)
    if source.is_stdin and error == STDIN:
        raise UsageError("both the session and the error are to be read from standard input", hint="name a file for one of them")
    chosen = op.Options(layout_of(client) if client else None, Selection(session_format, leaf), store)
    text = text_of(error)
    with telling_failures(source, as_json):
        located = op.locate(source, text, chosen)
    loudness = Verbosity.VERBOSE if verbose else Verbosity.NORMAL
    return tell(located, Verbosity.QUIET if quiet else loudness, as_json)
