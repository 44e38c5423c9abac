"""What a strategy found, as a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.reports.jsonlines import Record, text
from sessionkit.cli.reports.messages.elision import without_base64
from sessionkit.cli.reports.messages.json_lines import message_record
from sessionkit.compaction.base import Cleared, Group, Nothing, Plan

if TYPE_CHECKING:
    from sessionkit.cli.reports.messages.json_lines import Look
    from sessionkit.compaction.base import Outcome, SummaryInput
    from sessionkit.ops.compact import At, Compacted


def outcome_record(result: Compacted, look: Look) -> Record:
    """All members that tell of the outcome; null what does not belong to this one."""
    outcome = result.outcome
    return {
        "result": "nothing" if result.reason else "compact",
        "reason": result.reason.value if result.reason else None,
        "cut": position(result.cut),
        "split_turn": result.turn_start is not None,
        "turn_start": position(result.turn_start),
        **_plan(outcome, look),
        **_found(outcome),
        **_cleared(outcome),
    }


def position(at: At | None) -> Record | None:
    """Tell which message it is, and where it stands; behind the last one there is none."""
    if at is None:
        return None
    return {
        "index": at.index,
        "role": at.role.value if at.role else None,
        "entry": text(at.origin.entry),
        "line": at.origin.line or None,
        "pointer": text(at.origin.pointer),
        "says": text(without_base64(at.says)),
    }


def summary_input(value: SummaryInput, look: Look) -> object:
    """Write what a summary is made from: a text, or messages."""
    if isinstance(value, str):
        return text(without_base64(value))
    return [message_record(message, look) for message in value]


def _plan(outcome: Outcome, look: Look) -> Record:
    plan = outcome if isinstance(outcome, Plan) else None
    prefix = plan.prefix if plan else None
    previous = plan.previous_summary if plan else None
    return {
        "history": [plan.history.start, plan.history.stop] if plan else None,
        "prefix": [prefix.start, prefix.stop] if prefix else None,
        "previous_summary": None if previous is None else text(without_base64(previous)),
        "summary_input": summary_input(plan.summary_input, look) if plan else None,
        "prefix_input": summary_input(plan.prefix_input, look) if plan and plan.prefix_input is not None else None,
        "files": {"read": [*map(text, plan.files.read)], "modified": [*map(text, plan.files.modified)]} if plan else None,
        "marker": plan.marker.value if plan else None,
        "media_stripped": len(plan.stripped) if plan else None,
        "media_without_trace": len(plan.traceless) if plan else None,
        "dropped": plan.dropped if plan else None,
        "bridge": plan.bridge if plan else None,
    }


def _found(outcome: Outcome) -> Record:
    if isinstance(outcome, Cleared):
        return {"snapped_from": None, "branch": None}
    branch = outcome.split.branch if outcome.split else None
    return {"snapped_from": outcome.snapped_from, "branch": branch.value if branch else None}


def _cleared(outcome: Outcome) -> Record:
    match outcome:
        case Cleared():
            return {
                "cleared": [[one.message, one.block, one.group.value] for one in outcome.cleared],
                "kept": {group.value: outcome.kept[group] for group in Group},
                "tokens_saved": outcome.tokens_saved,
            }
        case Plan() | Nothing():
            return {"cleared": None, "kept": None, "tokens_saved": None}
