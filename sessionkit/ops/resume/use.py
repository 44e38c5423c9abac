"""When a journal is of use: a later run has to find it, and what it tells of, where they were."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.errors import Place, UsageError
from sessionkit.ops.resume.entry import key_of
from sessionkit.ops.sources import STDIN, SUFFIXES
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.ops.targets import Transfer


def require_use(path: Path, transfers: Sequence[Transfer], effect: Effect) -> None:
    """Raise UsageError where nothing is written that a later run could find, and for a journal that is one of the sessions, or would be."""
    place = Place(str(path))
    if path == STDIN:
        raise UsageError("a journal is a file, and no pipe", place=place, hint="name a regular file with --resume")
    if effect is Effect.REHEARSE:
        raise UsageError("a dry run leaves nothing to go on with", place=place, hint="leave out --resume or --dry-run")
    if any(transfer.target is None or transfer.source.is_stdin for transfer in transfers):
        hint = "name files, or leave out --resume"
        raise UsageError("what goes through a pipe cannot be found again by a later run", place=place, hint=hint)
    own = os.path.abspath(path)  # noqa: PTH100  Path.absolute keeps `..`
    if any(own in key_of(transfer) for transfer in transfers):
        raise UsageError("the journal would be one of the sessions", place=place, hint="name another file with --resume")
    if path.name.endswith(SUFFIXES) and _is_among(path, transfers):
        why = "it stands where they are searched for, and has a name like theirs"
        hint = "choose a name that does not end like a session's, such as batch.journal"
        raise UsageError("the next run would take the journal for a session", place=place, why=why, hint=hint)


def _is_among(path: Path, transfers: Sequence[Transfer]) -> bool:
    """Whether a file stands below a folder that was searched, or beside a session that was named, maybe by a pattern."""
    folder = _real(path.parent)
    sources = [transfer.source for transfer in transfers]
    searched = {source.folder for source in sources if source.folder}
    named = {source.path.parent for source in sources if not source.folder}
    return folder in map(_real, named) or any(folder.is_relative_to(_real(each)) for each in searched)


def _real(folder: Path) -> Path:
    return Path(os.path.realpath(folder))
