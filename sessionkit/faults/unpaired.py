"""Calls of tools without a result, and results without a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.faults.base import Fault, Finding, Severity, Spot, Stage, State, Uncured
from sessionkit.faults.judging import weighed
from sessionkit.faults.mending import answer_call, rewrite_result
from sessionkit.faults.orphans import AGAIN, LOST, as_text, as_users
from sessionkit.faults.pairs import orphans, unanswered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.calls import Call
    from sessionkit.faults.case import Case
    from sessionkit.faults.gaps import Gap
    from sessionkit.faults.pairs import Repeat

_TO_USER: Final = "it becomes a message of the user"
_FORMATS: Final = frozenset({"claude-code", "pi", "plain"})
PAIRS: Final = "pairs"


class UnpairedToolCall(Fault):
    """A call of a tool that has no result."""

    id = "unpaired-tool-call"
    stage = Stage.PAIRS
    page = """\
unpaired-tool-call: a call of a tool that has no result

Rule
  The model called a tool, the conversation went on, and no line of the
  session holds the result.

What you see
  Providers: "`tool_use` ids were found without `tool_result` blocks
  immediately after". Claude Code and Pi repair such calls in what they send;
  older versions of Claude Code fail at every turn. But if the line of the
  result was lost, the record behind it hangs on nothing, and the agent
  forgets everything before: see `lost-parent`.

Cure
  The lost line is written anew, under the id that the next record names as
  its parent: a result that says that it is missing, marked as an error. So
  the chain is whole again. In files of plain messages, with --pairs, such a
  result is put behind the call.

What it loses
  Nothing. What the tool had answered cannot be brought back."""

    def find(self, case: Case) -> Iterator[Finding]:
        if case.format not in _FORMATS or case.unread:
            return
        gap = case.gap
        for call in unanswered(case, gap):
            yield _lost_result(call, gap) if gap and gap.call == call else _no_result(case, call)

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        gap = case.gap
        if gap and gap.call and _spot(gap.call) == finding.spot:
            return rewrite_result(case, gap)
        return answer_call(case, finding.spot) if case.format == "plain" else Uncured(finding.obstacle)


class UnpairedToolResult(Fault):
    """A result of a tool that nobody called."""

    id = "unpaired-tool-result"
    stage = Stage.PAIRS
    page = """\
unpaired-tool-result: a result of a tool that nobody called

Rule
  A result answers no call of the message before it: the line with the call
  was deleted, torn or dropped. Or it is a second one for a call that has a
  result already.

What you see
  "unexpected `tool_use_id` found in `tool_result` blocks: toolu_…. Each
  `tool_result` block must have a corresponding `tool_use` block in the
  previous message." Of a second one: "each tool_use must have a single
  result. Found multiple `tool_result` blocks with id: toolu_…". Pi repeats it
  at every turn. Claude Code leaves a result without a call out by itself;
  older versions did not.

Cure
  The result becomes a message of the user, with a text in front that tells
  which tool it came from. Pictures in it stay. If its parent is lost too, it
  gets the nearest record before it. In files of plain messages only with
  --pairs; in Claude Code nothing has to be done.

What it loses
  Nothing. The call cannot be brought back."""

    def find(self, case: Case) -> Iterator[Finding]:
        if case.format not in _FORMATS or case.unread:
            return
        severity = weighed(case, Severity.HARMLESS if case.format == "claude-code" else Severity.BRICKS)
        obstacle = "Claude Code leaves it out" if case.format == "claude-code" else ""
        cure = "" if obstacle else _TO_USER
        option = PAIRS if case.format == "plain" else ""
        alone = {_spot(result): result for result in orphans(case, case.gap)}
        for spot, result in alone.items():
            way = case.wire.way(result.line, result.pointer)
            cause = f"it answers the call {result.key}, which is not in the message before it"
            yield Finding(self.id, severity, State.LIVE, spot, cause, cure, obstacle, option, wire=way)
        if not obstacle:
            yield from (_second_result(case, repeat) for spot, repeat in case.repeats.items() if spot not in alone)

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        head = AGAIN if finding.spot in case.repeats else LOST
        match case.format:
            case "pi" if finding.cure:
                return as_users(case, finding.spot, head)
            case "plain" if finding.cure:
                return as_text(case, finding.spot, head)
            case _:
                return Uncured(finding.obstacle)


def _lost_result(call: Call, gap: Gap) -> Finding:
    severity = Severity.DEGRADES if gap.is_felt else Severity.HARMLESS
    cause = f"the call {call.key} has no result, and the entry on line {gap.below.origin.line} hangs on a line that is not there"
    option = "" if gap.is_felt else PAIRS
    return Finding(UnpairedToolCall.id, severity, State.LIVE, _spot(call), cause, "the result that was lost is written anew", "", option)


def _no_result(case: Case, call: Call) -> Finding:
    is_plain = case.format == "plain"
    severity = weighed(case, Severity.BRICKS if is_plain else Severity.HARMLESS)
    cure = "a result that tells that it is missing" if is_plain else ""
    obstacle = "" if is_plain else "no entry hangs on the lost line, and its agent goes on without"
    way = case.wire.way(call.line, call.pointer)
    cause = f"the call {call.key} has no result"
    return Finding(UnpairedToolCall.id, severity, State.LIVE, _spot(call), cause, cure, obstacle, PAIRS if is_plain else "", wire=way)


def _second_result(case: Case, repeat: Repeat) -> Finding:
    result = repeat.result
    severity, way = weighed(case, Severity.BRICKS), case.wire.way(result.line, result.pointer)
    cause = f"it answers the call {result.key}, which has a result already, on line {repeat.first.line}"
    cure, obstacle = (_TO_USER, "") if repeat.is_last else ("", "a result stands behind it, and results come first")
    option = PAIRS if case.format == "plain" else ""
    return Finding(UnpairedToolResult.id, severity, State.LIVE, _spot(result), cause, cure, obstacle, option, wire=way)


def _spot(call: Call) -> Spot:
    return Spot(call.line, call.pointer)
