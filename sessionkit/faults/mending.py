"""How a chain is mended: by a line that was lost, written anew, or by another parent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.faults.base import Splice
from sessionkit.faults.cures.tokens import NoCureError, gathered, replaced, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.base import Cure, Spot
    from sessionkit.faults.calls import Call
    from sessionkit.faults.case import Case
    from sessionkit.faults.gaps import Gap
    from sessionkit.faults.places import Places
    from sessionkit.formats.records import Record

MISSING: Final = "[tool result missing: the line that held it was lost]"
_PARENTS: Final = {"claude-code": "parentUuid", "qwen-code": "parentUuid", "pi": "parentId"}
_COMMON: Final = ("userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch")
"""What all lines of Claude Code repeat."""


def rewrite_result(case: Case, gap: Gap) -> Cure:
    """Write the lost line of a result anew, as an error, under the id that the entry below names as its parent."""
    return gathered(_rewritten(case, gap))


def hang_on(case: Case, record: Record, parent: Record | None) -> Cure:
    """Name another parent of an entry, or none."""
    return gathered(parent_splice(case, at, parent) for at in (record,))


def answer_call(case: Case, spot: Spot) -> Cure:
    """Put a line with a result behind the line of a call, in a file of plain messages."""
    return gathered(_answered(case, spot))


def parent_splice(case: Case, record: Record, parent: Record | None) -> Splice:
    """Make the splice of that. Raises NoPlaceError."""
    places = case.lines.places(record.origin.line)
    new = written(parent.id if parent else None)
    return replaced(places, f"/{_PARENTS[case.format]}", new, f"parent {parent.id if parent else 'none'}")


def _rewritten(case: Case, gap: Gap) -> Iterator[Splice]:
    if gap.call is None or gap.before is None:
        raise NoCureError("nobody knows what stood on the lost line")
    line = gap.below.origin.line
    lost = case.lines.places(line).text(f"/{_PARENTS[case.format]}")
    made = _claude_codes(case, gap.call, lost) if case.format == "claude-code" else _pis(case, gap.call, gap.before, lost)
    yield Splice(line, 0, 0, made + b"\n", f"a line with the text {MISSING}")


def _claude_codes(case: Case, call: Call, lost: bytes) -> bytes:
    """Write a line as Claude Code does: the result of each call hangs on the line of that call."""
    places = case.lines.places(call.line)
    result = {"type": b'"tool_result"', "content": written(MISSING), "is_error": b"true", "tool_use_id": places.text(f"{call.pointer}/id")}
    message = {"role": b'"user"', "content": b"[" + _object(result) + b"]"}
    members = {"parentUuid": places.text("/uuid"), "isSidechain": b"false", **_copied(places, "isSidechain")}
    members |= {"type": b'"user"', "message": _object(message), "uuid": lost, **_copied(places, "timestamp")}
    members |= {"sourceToolAssistantUUID": places.text("/uuid"), **_copied(places, *_COMMON)}
    return _object(members)


def _pis(case: Case, call: Call, before: Record, lost: bytes) -> bytes:
    """Write an entry as Pi does: each hangs on the one before."""
    places = case.lines.places(call.line)
    text = _object({"type": b'"text"', "text": written(MISSING)})
    message = {"role": b'"toolResult"', "toolCallId": places.text(f"{call.pointer}/id"), "toolName": places.text(f"{call.pointer}/name")}
    message |= {"content": b"[" + text + b"]", "isError": b"true", **_copied(places, "message/timestamp")}
    members = {
        "type": b'"message"',
        "id": lost,
        "parentId": written(before.id),
        **_copied(places, "timestamp"),
        "message": _object(message),
    }
    return _object(members)


def _copied(places: Places, *names: str) -> dict[str, bytes]:
    return {name.rpartition("/")[2]: places.text(f"/{name}") for name in names if places.has(f"/{name}")}


def _object(members: dict[str, bytes]) -> bytes:
    return b"{" + b",".join(written(name) + b":" + value for name, value in members.items()) + b"}"


def _answered(case: Case, spot: Spot) -> Iterator[Splice]:
    places = case.lines.places(spot.line)
    result = {"type": b'"tool_result"', "tool_use_id": places.text(f"{spot.pointer}/id"), "content": written(MISSING), "is_error": b"true"}
    line = _object({"role": b'"user"', "content": b"[" + _object(result) + b"]"})
    end = case.lines.length(spot.line)
    is_last = spot.line == case.lines.count and not case.lines.ends_whole
    yield Splice(spot.line, end, end, b"\n" + line if is_last else line + b"\n", f"a line with the text {MISSING}")
