"""Which calls of tools have no result, and which results no call."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from sessionkit.core.dialects.content import string
from sessionkit.dataclass import dataclass
from sessionkit.faults.calls import calls_of, is_answer, message_of, results_of
from sessionkit.formats.claude_code.replies import reply_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.calls import Call
    from sessionkit.faults.case import Case
    from sessionkit.faults.gaps import Gap
    from sessionkit.formats.records import Record


@dataclass(frozen=True, slots=True)
class Repeat:
    """A result of a call that has one; `is_last` tells that no further result stands behind it in its turn."""

    result: Call
    first: Call
    is_last: bool


def unanswered(case: Case, gap: Gap | None) -> Iterator[Call]:
    """Find the calls that nothing in the file answers: that of the gap, and those after which the conversation went on."""
    answered = {result.key for record in case.outline.records for result in results_of(record)}
    if gap and gap.call:
        yield gap.call
    live = tuple(_live(case))
    newest = next((record for record in reversed(live) if _is_turn(record)), None)
    for record in live:
        if newest and record is not newest and not _is_of_reply(record, newest) and record.origin.line < newest.origin.line:
            yield from (call for call in calls_of(record) if call.key not in answered)


def orphans(case: Case, gap: Gap | None) -> Iterator[Call]:
    """Find the results of which no call stands before them: in Claude Code's sessions anywhere, else in the turn before."""
    known = {call.key for call in gap.calls} if gap and gap.call else set()
    was_answer = True
    for record in _live(case):
        if is_answer(record):
            known = known if was_answer or case.format == "claude-code" else set()
            known |= {call.key for call in calls_of(record)}
        yield from (result for result in results_of(record) if result.key not in known)
        was_answer = is_answer(record)


def repeats(case: Case) -> Iterator[Repeat]:
    """Find the results of calls that another one, before it in the same turn, answers already."""
    first: dict[str, Call] = {}
    live = tuple(_live(case))
    for record, behind in zip_longest(live, live[1:]):
        if is_answer(record):
            first = {}
        for result in results_of(record):
            if first.setdefault(result.key, result) is not result:
                yield Repeat(result, first[result.key], not (behind and any(True for _ in results_of(behind))))


def _live(case: Case) -> Iterator[Record]:
    """Give the entries of the next request's messages, in their order."""
    by_line: dict[int, list[Record]] = {}
    for record in case.outline.records:
        by_line.setdefault(record.origin.line, []).append(record)
    lines = dict.fromkeys(message.origin.line for message in case.conversation.messages)
    return (record for line in lines for record in by_line.get(line, ()))


def _is_turn(record: Record) -> bool:
    """Whether it is an answer, or something that the user said."""
    role = string(message_of(record.value)[0].get("role"))
    return role in {"user", "assistant"} and not any(True for _ in results_of(record))


def _is_of_reply(record: Record, other: Record) -> bool:
    return reply_id(record) != "" and reply_id(record) == reply_id(other)
