"""The journal of a repair: which bytes gave way to which, and why. It is what an undoing goes by."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from sessionkit.core.files import unreadable
from sessionkit.dataclass import dataclass
from sessionkit.errors import Place, UnreadableError
from sessionkit.ops.repair.audit import Digest

if TYPE_CHECKING:
    from sessionkit.ops.repair.audit import Audit, Change
    from sessionkit.ops.repair.backups import Backup

_SCHEMA: Final = "sessionkit.repair-journal/1"


@dataclass(frozen=True, slots=True)
class Record:
    """What an undoing has to know: the whole session before and after."""

    before: Digest
    after: Digest


def written(backup: Backup, found: Audit) -> bytes:
    """Write a journal: a JSON document of one line."""
    document = {
        "schema": _SCHEMA,
        "session": backup.session.name,
        "backup": backup.path.name,
        "time": backup.stamp,
        "before": _told(found.before),
        "after": _told(found.after),
        "changes": [_change(change) for change in found.changes],
    }
    return json.dumps(document, separators=(",", ":")).encode() + b"\n"


def read_journal(backup: Backup) -> Record:
    """Read the journal of a repair; UnreadableError also for what is none."""
    try:
        document = json.loads(backup.journal.read_bytes())
    except OSError as error:
        place, why = Place(str(backup.journal)), unreadable(backup.journal, error).why
        raise UnreadableError("the journal of the repair cannot be read", place=place, why=why, hint=_by_hand(backup)) from error
    except (ValueError, RecursionError) as error:
        raise _unknown(backup) from error
    match document:
        case {"schema": "sessionkit.repair-journal/1", "before": dict() as before, "after": dict() as after}:
            return Record(_digest(before, backup), _digest(after, backup))
        case _:
            raise _unknown(backup)


def _told(digest: Digest) -> dict[str, object]:
    return {"size": digest.size, "sha256": digest.sha256}


def _change(change: Change) -> dict[str, object]:
    return {
        "line": change.line,
        "start": change.start,
        "stop": change.stop,
        "before": _told(change.before),
        "after": _told(change.after),
        "faults": change.faults,
        "assets": change.assets,
    }


def _digest(value: dict[str, object], backup: Backup) -> Digest:
    match value:
        case {"size": int(size), "sha256": str(sha256)}:
            return Digest(size, sha256)
        case _:
            raise _unknown(backup)


def _unknown(backup: Backup) -> UnreadableError:
    return UnreadableError("this is no journal of a repair", place=Place(str(backup.journal)), hint=_by_hand(backup))


def _by_hand(backup: Backup) -> str:
    copied = f"copy {backup.path.name} over {backup.session.name}"
    return f"put {backup.journal.name} back if you moved it; else {copied} yourself: what was appended since is lost then"
