"""Lost lines, lost parents, circles, calls and results alone."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import ToolCall, ToolResult, media_of
from sessionkit.faults.base import Severity, State
from sessionkit.faults.lost_parent import Cycle, LostParent
from sessionkit.faults.unpaired import UnpairedToolCall, UnpairedToolResult
from tests.faults.recipes.chains import MESSAGES, RESULT, branched, cyclic, cyclic_pi, parallel, plain, without_lines
from tests.faults.repairing import repaired
from tests.faults.single import cured, findings, refusals
from tests.faults.structure_bases import chain, line, of_pi, of_qwen, slow_chain, spaced
from tests.faults.surgery import value
from tests.faults.workshop import Session, opened

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sessionkit.core.model import Conversation
    from sessionkit.faults.base import Fault, Finding

RELINK = frozenset({"relink"})


def sent(folder: Path, session: Session | bytes) -> Conversation:
    with opened(folder, session) as case:
        return case.conversation


def pictures(conversation: Conversation) -> int:
    return sum(1 for _ in media_of(conversation.messages))


def weights(fault: Fault, folder: Path, session: Session) -> list[tuple[Severity, str]]:
    return [(finding.severity, finding.option) for finding in findings(fault, folder, session)]


@pytest.mark.parametrize(
    ("seconds", "severity", "options"),
    [
        (1, Severity.HARMLESS, ("relink", "pairs")),
        (4.9 / 2, Severity.HARMLESS, ("relink", "pairs")),
        (5.5 / 2, Severity.DEGRADES, ("", "")),
        (8, Severity.DEGRADES, ("", "")),
    ],
)
def test_claude_code_bridges_five_seconds(seconds: float, severity: Severity, options: tuple[str, str], tmp_path: Path) -> None:
    """Without the line between them its neighbours are twice as far apart as before."""
    bad = without_lines(lambda: spaced(chain(), seconds), 9)
    assert weights(LostParent(), tmp_path, bad) == [(severity, options[0])]
    assert weights(UnpairedToolCall(), tmp_path, bad) == [(severity, options[1])]


def test_pi_and_qwen_code_bridge_nothing(tmp_path: Path) -> None:
    assert weights(LostParent(), tmp_path, without_lines(of_pi, 6)) == [(Severity.DEGRADES, "relink")]
    assert weights(LostParent(), tmp_path, without_lines(of_qwen, 9)) == [(Severity.DEGRADES, "relink")]


@pytest.mark.parametrize("make", [slow_chain, of_pi])
def test_a_lost_result_comes_back_as_an_error(make: Callable[[], Session], tmp_path: Path) -> None:
    """All that was before it is sent again; only its picture is gone."""
    whole, bad = make(), without_lines(make, 9)
    after = sent(tmp_path, repaired(tmp_path, bad.content).content)
    before = sent(tmp_path, whole)
    assert [message.role for message in after.messages] == [message.role for message in before.messages]
    assert pictures(after) == pictures(before) - 1
    (again,) = (block for message in after.messages for block in message.content if isinstance(block, ToolResult) and block.is_error)
    assert again.call_id in {block.id for message in after.messages for block in message.content if isinstance(block, ToolCall)}


@pytest.mark.parametrize("gone", [9, 10])
def test_either_result_of_two_calls_of_a_turn(gone: int, tmp_path: Path) -> None:
    bad = without_lines(partial(parallel, of_pi), gone)
    after = sent(tmp_path, repaired(tmp_path, bad.content).content)
    results = [block for message in after.messages for block in message.content if isinstance(block, ToolResult)]
    assert [result.is_error for result in results] == [gone == 9, gone == 10, False]


def test_of_two_lost_results_the_last_comes_back(tmp_path: Path) -> None:
    """Nothing hangs on the first; Pi makes up its result by itself."""
    bad = without_lines(partial(parallel, of_pi), 9, 10)
    after = Session(tuple(repaired(tmp_path, bad.content).content.splitlines(keepends=True)))
    assert value(after, 9, "/message/toolCallId") == value(bad, 8, "/message/content/1/id")
    assert weights(UnpairedToolCall(), tmp_path, after) == [(Severity.HARMLESS, "")]


def test_a_call_at_the_end_still_runs(tmp_path: Path) -> None:
    assert findings(UnpairedToolCall(), tmp_path, of_pi()) == []
    assert findings(UnpairedToolCall(), tmp_path, without_lines(chain, 11, 12, 13)) == []
    assert findings(UnpairedToolCall(), tmp_path, Session(plain().lines[:2])) == []


def test_two_calls_at_the_end_of_one_reply_still_run(tmp_path: Path) -> None:
    session = Session.recorded("claude-code/parallel", 13)
    assert findings(UnpairedToolCall(), tmp_path, session) == []


def test_a_result_whose_answer_was_broken_off_has_no_call(tmp_path: Path) -> None:
    """Pi leaves out answers that ended in an error, and sends the results of their calls."""
    bad = of_pi().with_value(8, "/message/stopReason", "aborted")
    assert weights(UnpairedToolResult(), tmp_path, bad) == [(Severity.BRICKS, "")]
    assert findings(UnpairedToolResult(), tmp_path, cured(UnpairedToolResult(), tmp_path, bad)) == []


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ([{"type": "text", "text": "a"}], [{"type": "text", "text": "[result of a lost read call {}]"}, {"type": "text", "text": "a"}]),
        ([], [{"type": "text", "text": "[result of a lost read call {}]"}]),
        ("a", "[result of a lost read call {}]\na"),
        (None, "[result of a lost read call {}]"),
    ],
)
def test_what_a_result_held_stays_in_a_message_of_the_user(content: object, expected: object, tmp_path: Path) -> None:
    bad = without_lines(lambda: of_pi().with_value(9, "/message/content", content), 8)
    after = cured(UnpairedToolResult(), tmp_path, bad)
    call = str(value(bad, 8, "/message/toolCallId"))
    assert json.dumps(value(after, 8, "/message/content")) == json.dumps(expected).replace("{}", call)
    assert value(after, 8, "/message/role") == "user"
    assert value(after, 8, "/parentId") == value(bad, 7, "/id")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ([{"type": "text", "text": "a"}], [{"type": "text", "text": "a"}]),
        ([], []),
        ("a", [{"type": "text", "text": "a"}]),
        (None, []),
    ],
)
def test_what_a_plain_result_held_stays_behind_a_text(content: object, expected: list[object], tmp_path: Path) -> None:
    bad = without_lines(lambda: plain().with_value(3, "/content/0/content", content), 2)
    after = cured(UnpairedToolResult(), tmp_path, bad)
    assert value(after, 2, "/content") == [{"type": "text", "text": "[result of a lost call toolu_1]"}, *expected]


def test_results_that_are_in_order_come_first(tmp_path: Path) -> None:
    other = {"type": "tool_result", "tool_use_id": "toolu_0", "content": "a"}
    bad = plain().with_value(3, "/content", [other, RESULT])
    assert refusals(UnpairedToolResult(), tmp_path, bad) == ["a result stands behind it in the same message, and results come first"]


def test_a_message_of_the_last_line_gets_its_result(tmp_path: Path) -> None:
    """A line that has no line feed stays the one that has none."""
    lines = (*map(line, (MESSAGES[0], MESSAGES[3], MESSAGES[1])), line(MESSAGES[4]).rstrip(b"\n"))
    after = cured(UnpairedToolCall(), tmp_path, Session(lines))
    assert after.lines[:3] == lines[:3]
    assert json.loads(after.lines[3])["content"][0]["tool_use_id"] == "toolu_1"
    assert after.lines[4] == lines[3]


def test_a_compaction_stands_for_what_is_out_of_reach(tmp_path: Path) -> None:
    """qwen-code's replaces all; Pi's as long as the path holds all that it kept."""
    qwen = without_lines(partial(Session.recorded, "qwen-code/compacted"), 9)
    pi = without_lines(partial(Session.recorded, "pi/compacted"), 6)
    for bad in (qwen, pi):
        assert [(finding.severity, finding.cause.partition(", but ")[2]) for finding in findings(LostParent(), tmp_path, bad)] == [
            (Severity.HARMLESS, "a compaction stands for the rest")
        ]


def test_a_compaction_whose_kept_entries_are_lost_is_missed(tmp_path: Path) -> None:
    session = Session.recorded("pi/compacted")
    kept = json.loads(next(raw for raw in session.lines if b'"type":"compaction"' in raw))["firstKeptEntryId"]
    at = next(at for at, raw in enumerate(session.lines, 1) if json.loads(raw)["id"] == kept)
    assert [finding.severity for finding in findings(LostParent(), tmp_path, without_lines(lambda: session, at))] == [Severity.DEGRADES]


def test_a_session_whose_beginning_is_gone_has_nothing_to_go_back_to(tmp_path: Path) -> None:
    bad = without_lines(of_pi, 2)
    assert [(finding.severity, finding.obstacle) for finding in findings(LostParent(), tmp_path, bad)] == [
        (Severity.HARMLESS, "nothing stands before it")
    ]


@pytest.mark.parametrize(
    ("make", "gone"), [(slow_chain, (8, 9)), (of_pi, (6, 7)), (of_qwen, (8, 9)), (slow_chain, (7,))], ids=["claude", "pi", "qwen", "result"]
)
def test_relinking_brings_back_all_that_is_left(make: Callable[[], Session], gone: tuple[int, ...], tmp_path: Path) -> None:
    bad = without_lines(make, *gone)
    after = sent(tmp_path, repaired(tmp_path, bad.content, RELINK).content)
    assert pictures(after) == pictures(sent(tmp_path, make())) - sum(b'"data":"' in make().lines[at - 1] for at in gone)


def test_a_left_branch_is_not_hung_on_itself(tmp_path: Path) -> None:
    """What hangs on the entry is no place to hang it on, though it stands before it in the file."""
    session = of_pi()
    moved = replace(session, lines=(*session.lines[:5], *session.lines[6:14], session.lines[5]))
    leaf = json.loads(session.lines[13])["id"]
    end = line({"type": "leaf", "id": "1eaf0000", "parentId": None, "targetId": leaf})
    bad = replace(moved, lines=(*moved.lines, end)).with_value(14, "/parentId", "gone")
    (finding,) = findings(LostParent(), tmp_path, bad)
    assert finding.spot.line == 14
    assert value(cured(LostParent(), tmp_path, bad), 14, "/parentId") == value(session, 5, "/id")


def test_sidechains_are_no_parents(tmp_path: Path) -> None:
    bad = without_lines(lambda: spaced(Session.recorded("claude-code/parallel"), 8), 9)
    assert value(bad, 9, "/isSidechain") is True
    (finding,) = findings(LostParent(), tmp_path, bad)
    assert value(cured(LostParent(), tmp_path, bad), finding.spot.line, "/parentUuid") == value(bad, 8, "/uuid")


def test_the_answer_that_hangs_on_nothing_is_the_newest(tmp_path: Path) -> None:
    assert [finding.spot.line for finding in findings(LostParent(), tmp_path, branched())] == [14]


def places(found: list[Finding]) -> list[tuple[int, Severity, State]]:
    return [(finding.spot.line, finding.severity, finding.state) for finding in found]


def test_a_circle_is_broken_where_it_was_closed(tmp_path: Path) -> None:
    assert places(findings(Cycle(), tmp_path, cyclic_pi())) == [(8, Severity.BRICKS, State.LIVE)]
    assert places(findings(Cycle(), tmp_path, cyclic())) == [(8, Severity.DEGRADES, State.LIVE)]
    assert places(findings(Cycle(), tmp_path, spaced(cyclic(), 4.9))) == [(8, Severity.HARMLESS, State.LIVE)], "it goes on all the same"
    assert cured(Cycle(), tmp_path, cyclic_pi()) == of_pi()
    assert cured(Cycle(), tmp_path, cyclic()) == slow_chain()


def test_the_first_entry_hangs_on_nothing_again(tmp_path: Path) -> None:
    bad = of_pi().with_value(2, "/parentId", value(of_pi(), 2, "/id"))
    assert cured(Cycle(), tmp_path, bad) == of_pi()


def test_a_circle_beside_the_path_is_asleep(tmp_path: Path) -> None:
    session = chain()
    left = [json.loads(session.lines[at]) | {"uuid": f"{at:08x}-dead-4000-8000-000000000000"} for at in (5, 6)]
    left[0]["parentUuid"], left[1]["parentUuid"] = left[1]["uuid"], left[0]["uuid"]
    bad = replace(session, lines=(*session.lines[:5], *map(line, left), *session.lines[5:]))
    assert [finding.state for finding in findings(Cycle(), tmp_path, bad)] == [State.ASLEEP]


@pytest.mark.parametrize("fault", [LostParent(), Cycle(), UnpairedToolCall(), UnpairedToolResult()])
def test_version_1_of_pi_has_no_ids_to_lose(fault: Fault, tmp_path: Path) -> None:
    assert findings(fault, tmp_path, Session.recorded("pi/v1")) == []
