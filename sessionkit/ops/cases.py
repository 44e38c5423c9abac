"""Lay a session open for the faults, standard input and archives too."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sessionkit.core.model import Stored
from sessionkit.core.streams import Packing, open_source, packing_of
from sessionkit.dataclass import replace
from sessionkit.errors import Place, UnreadableError
from sessionkit.faults.open import NO_OPTIONS, Options, open_case
from sessionkit.ops.sessions import STANDARD_INPUT, spooled, temporary_copy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit
    from sessionkit.ops.sources import Source


@contextmanager
def opened(source: Source, how: Options = NO_OPTIONS) -> Iterator[Case]:
    """Lay a session open, under its own name and with its own assets unless a store is named. Raises what `open_case` raises.

    Raises UnreadableError too for a file that holds something, but no record.
    """
    with plain(source) as path, named(path, source, how) as case:
        yield case


@contextmanager
def named(path: Path, source: Source, how: Options) -> Iterator[Case]:
    """Lay a plain file open as the session that it is a copy of."""
    name = str(STANDARD_INPUT if source.is_stdin else source.path)
    with open_case(path, replace(how, name=name, store=source.store(how.store))) as case:
        require_session(case)
        yield case


@contextmanager
def plain(source: Source) -> Iterator[Path]:
    """Path of a plain file with the content of a session: a temporary one for standard input and archives. Raises UnwritableError."""
    with spooled(source) as kept:
        path = kept.copy or kept.path
        if packing_of(path) is Packing.PLAIN:
            yield path
        else:
            with open_source(path) as stream, temporary_copy(stream) as copy:
                yield copy


def unseen(case: Case) -> Iterator[str]:
    """Say what of a session no fault looks at, in words; nothing as a rule. Raises what `Case.look` raises."""
    if case.format == "unknown" and case.outline.records:
        yield "its format is unknown: ids, parents and calls were not looked at, and every picture is taken for one that may be sent"
    elif not case.exhibits and case.conversation.messages and not case.outline.records:
        yield "it is a JSON list, not lines: only its next request was looked at, not its pictures one by one"
    if case.unread:
        first, *others = case.unread
        lines = f"line {first} is" if not others else f"{1 + len(others)} lines are"
        yield f"{lines} nested too deep to be read: what stands there was not looked at, nor whether a parent or a result is missing"
    unread = sum(_is_unread(case, exhibit) for exhibit in case.exhibits)
    if unread:
        yield f"{unread} of its {len(case.exhibits)} media are in files that cannot be read; `sessionkit verify` tells which"


def _is_unread(case: Case, exhibit: Exhibit) -> bool:
    return isinstance(exhibit.media.source, Stored) and case.facts(exhibit) is None


def require_session(case: Case) -> None:
    """Raise UnreadableError for what is no session at all: to find nothing wrong with it would not be true."""
    if case.conversation.messages or case.outline.records or _is_blank(case):
        return
    raise UnreadableError(
        "no record could be read",
        place=Place(case.path),
        why="its lines are no JSON objects, one a line",
        hint="name a session file; `jq -c .` writes a document on one line",
    )


def _is_blank(case: Case) -> bool:
    return not any(block.data[: block.stop].strip() for block in case.lines.blocks())
