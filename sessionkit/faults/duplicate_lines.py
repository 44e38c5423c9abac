"""Records that stand in a session twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.jsonl import split_values
from sessionkit.faults.base import Consent, Fault, Finding, Lengths, Severity, Splice, Spot, Stage, State, Uncured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.formats.records import Record

DEDUPE: Final = "dedupe"
_SENT_TWICE: Final = frozenset({"codex", "qwen-code"})
"""Agents that send a record as often as it stands there; others find records by their ids, and each once."""
_WITH_IDS: Final = frozenset({"claude-code", "pi", "ink", "native"})
"""Formats in which an id means one record. Codex knows none; qwen-code joins records of one id, Gemini CLI replaces them."""


class DuplicateLines(Fault):
    """A record that stands there twice."""

    id = "duplicate-lines"
    stage = Stage.REPEATS
    consent = Consent.ASKED
    page = """\
duplicate-lines: a record that stands there twice

Rule
  A line repeats an earlier one byte for byte, or has its id and says the
  same. Some agents and editors write their whole session anew behind the old
  one. A record that has the id of another and says something else is only
  reported.

What you see
  Codex and qwen-code send everything twice: the context is full at half of
  what it holds, and a session of 9 images sends 18. Claude Code and Pi read
  each record once, however often it stands there; the file grows to
  gigabytes.

Cure
  With --dedupe the first copy stays, and the later ones are taken out.
  Codex remembers where lines begin, so its sessions are only cured into a
  copy (-o FILE).

What it loses
  Nothing: each record stays once."""

    def find(self, case: Case) -> Iterator[Finding]:
        seen: dict[object, Record] = {}
        odd = frozenset(case.outline.odd)
        for record in case.outline.records:
            key = _key(case, record)
            if key is None or record.origin.line in odd:
                continue
            first = seen.setdefault(key, record)
            if first is not record:
                yield from _told(case, first, record)

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        if choices.lengths is Lengths.KEPT:
            return Uncured("its agent knows at which byte every line begins: write a copy with -o")
        if not finding.cure:
            return Uncured(finding.obstacle)
        line = finding.spot.line
        return (Splice(line, 0, case.lines.length(line), b"", f"a copy of line {finding.twins[0].line}"),)


def _key(case: Case, record: Record) -> object:
    """What two lines have in common that may be one record: the id, or in Codex time and number; None for those without."""
    if case.format in _WITH_IDS:
        return record.id or None
    match case.format, record.value:
        case "codex", {"timestamp": str(time), "payload": dict(), **others}:
            return time, record.type, str(others.get("ordinal")), case.lines.length(record.origin.line)
        case "qwen-code", {"uuid": str(uuid)}:
            return uuid, case.lines.length(record.origin.line)
        case _:
            return None


def _told(case: Case, first: Record, again: Record) -> Iterator[Finding]:
    lines = (first.origin.line, again.origin.line)
    twins = (Spot(lines[0]),)
    if _is_equal(case, lines):
        is_sent = case.format in _SENT_TWICE and not case.live_lines.isdisjoint(lines)
        severity = Severity.DEGRADES if is_sent else Severity.HARMLESS
        size, cause = case.lines.length(lines[1]), f"it repeats line {lines[0]}"
        yield Finding(DuplicateLines.id, severity, State.LIVE, Spot(lines[1]), cause, "taken out", "", DEDUPE, twins=twins, bytes_won=size)
    elif case.format in _WITH_IDS:
        cause = f"it has the id {again.id} of line {lines[0]}, and says something else"
        obstacle = "nobody knows which of the two counts"
        yield Finding(DuplicateLines.id, Severity.HARMLESS, State.LIVE, Spot(lines[1]), cause, obstacle=obstacle, twins=twins)


def _is_equal(case: Case, lines: tuple[int, int]) -> bool:
    """Whether two lines are equal, to the byte or, where they have an id, apart from when they were written."""
    one, other = (case.lines.raw(line).rstrip(b"\r\n") for line in lines)
    return one == other or (case.format in _WITH_IDS and _said(one) == _said(other))


def _said(raw: bytes) -> object:
    value = split_values(raw)[0]
    return {name: member for name, member in value.items() if name != "timestamp"} if isinstance(value, dict) else value
