"""Fixtures of chains: lost lines, lost parents, circles, calls and results alone, marks that hide images."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tests.faults.recipe import Recipe
from tests.faults.structure_bases import chain, line, of_pi, of_qwen, slow_chain, spaced
from tests.faults.workshop import Session

if TYPE_CHECKING:
    from collections.abc import Callable

RELINK = frozenset({"relink"})
NOWHERE = "00000000-dead-4000-8000-00000000beef"


def without_lines(make: Callable[[], Session], *gone: int) -> Session:
    session = make()
    return replace(session, lines=tuple(raw for at, raw in enumerate(session.lines, 1) if at not in gone))


def parallel(make: Callable[[], Session]) -> Session:
    """Pi: let the call on line 10 be a second one of the turn on line 8, with both results behind it."""
    session = make()
    second = json.loads(session.lines[9])["message"]["content"][0]
    first = json.loads(session.lines[7])["id"]
    session = session.with_items(8, "/message/content", second)
    results = json.loads(session.lines[8])["id"]
    session = session.with_value(11, "/parentId", results).with_value(9, "/parentId", first)
    return without_lines(lambda: session, 10)


def answered_twice() -> Session:
    """Pi: the result on line 9 stands there once more, as an entry of its own that hangs on it."""
    session = of_pi()
    first, after = json.loads(session.lines[8]), json.loads(session.lines[9])
    again = {**first, "id": "0badf00d", "parentId": first["id"]}
    return replace(session, lines=(*session.lines[:9], line(again), line({**after, "parentId": "0badf00d"}), *session.lines[10:]))


def answered_twice_at_once() -> Session:
    """A message to Anthropic with two results of one call."""
    return plain().with_items(3, "/content", RESULT)


def branched() -> Session:
    """Claude Code: a second answer to the prompt, whose own chain ends at a record that is not there."""
    session = slow_chain()
    answer = json.loads(session.lines[11])
    answer |= {"uuid": "5d0f6f0e-7a35-4a53-9b0b-6a6fd7a1c002", "timestamp": "2026-11-30T14:00:00.000Z", "parentUuid": NOWHERE}
    return replace(session, lines=(*session.lines, line(answer)))


def cyclic_pi() -> Session:
    """Pi: let the record on line 8 hang on the one on line 10."""
    return of_pi().with_value(8, "/parentId", json.loads(of_pi().lines[9])["id"])


def cyclic() -> Session:
    """Claude Code: the same, with 8 seconds between the records."""
    return slow_chain().with_value(8, "/parentUuid", json.loads(chain().lines[9])["uuid"])


def plain() -> Session:
    """A conversation with Anthropic, of which the result of a call is lost."""
    return Session(tuple(map(line, MESSAGES)))


CALL = {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "a.txt"}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "Nothing is in it."}]}
REMOVED = {
    "type": "text",
    "text": "API Error: an image in the conversation could not be processed and was removed. "
    "Re-read the file with a different approach if you still need it.",
}
MESSAGES = [
    {"role": "user", "content": "What is in a.txt?"},
    {"role": "assistant", "content": [CALL]},
    {"role": "user", "content": [RESULT]},
    {"role": "assistant", "content": [{"type": "text", "text": "Nothing."}]},
    {"role": "user", "content": "And in b.txt?"},
]


def marked(session: Session, turns: int) -> Session:
    """Let turns of Claude Code fail, each of which leaves a mark."""
    lines, last = list(session.lines), json.loads(session.lines[10])
    common = {name: last[name] for name in ("userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch")}
    parent = last["uuid"]
    for turn in range(turns):
        ids = [f"5d0f6f0e-7a35-4a53-9b0b-6a6fd7a1d{turn}0{part}" for part in range(2)]
        time = f"2026-11-30T13:2{turn}:00.000Z"
        prompt = {"role": "user", "content": "And what changed in the footer?"}
        error = {"id": f"err_{turn}", "type": "message", "role": "assistant", "model": "<synthetic>", "content": [REMOVED]}
        flags = {"isApiErrorMessage": True, "healsDistinctCarrier": True}
        head = {"parentUuid": parent, "isSidechain": False}
        lines.append(line({**head, "type": "user", "message": prompt, "uuid": ids[0], "timestamp": time, **common}))
        head |= {"parentUuid": ids[0]}
        lines.append(line({**head, "type": "assistant", "message": error, "uuid": ids[1], "timestamp": time, **flags, **common}))
        parent = ids[1]
    return replace(session, lines=tuple(lines))


def mislabelled() -> Session:
    return Session.recorded("claude-code/session").with_label(1, "image/png")


def healed() -> Session:
    return marked(Session.recorded("claude-code/session"), 3)


def without_last_result() -> Session:
    """Claude Code: of two calls in one reply, the result of the first, on which nothing hangs, is lost."""
    return without_lines(both_called, 14)


def without_chained_result() -> Session:
    """Claude Code: of two calls in one reply, the result of the second, on which the chain hangs, is lost."""
    return without_lines(both_called, 15)


def both_called() -> Session:
    return spaced(Session.recorded("claude-code/parallel"), 8)


RECIPES = [
    Recipe("claude-code", "unpaired-tool-call", partial(without_lines, slow_chain, 9)),
    Recipe("claude-code", "unpaired-tool-call", partial(without_lines, lambda: spaced(chain(), 2), 9), "bridged", frozenset({"pairs"})),
    Recipe("claude-code", "unpaired-tool-call", without_last_result, "off-the-chain"),
    Recipe("claude-code", "unpaired-tool-call", without_chained_result, "second-of-two"),
    Recipe("pi", "unpaired-tool-call", partial(without_lines, of_pi, 9)),
    Recipe("pi", "unpaired-tool-call", lambda: without_lines(partial(parallel, of_pi), 9), "first-of-two"),
    Recipe("plain", "unpaired-tool-call", partial(without_lines, plain, 3), options=frozenset({"pairs"})),
    Recipe("claude-code", "unpaired-tool-result", partial(without_lines, slow_chain, 8)),
    Recipe("pi", "unpaired-tool-result", partial(without_lines, of_pi, 8)),
    Recipe("pi", "unpaired-tool-result", lambda: without_lines(partial(parallel, of_pi), 8), "two-of-a-turn"),
    Recipe("plain", "unpaired-tool-result", partial(without_lines, plain, 2), options=frozenset({"pairs"})),
    Recipe("pi", "unpaired-tool-result", answered_twice, "second-of-a-call"),
    Recipe("plain", "unpaired-tool-result", answered_twice_at_once, "second-of-a-call", frozenset({"pairs"})),
    Recipe("claude-code", "lost-parent", partial(without_lines, slow_chain, 8, 9)),
    Recipe("claude-code", "lost-parent", partial(without_lines, slow_chain, 8, 9), "relinked", RELINK),
    Recipe("claude-code", "lost-parent", branched, "branch", RELINK),
    Recipe("pi", "lost-parent", partial(without_lines, of_pi, 8, 9)),
    Recipe("pi", "lost-parent", partial(without_lines, of_pi, 8, 9), "relinked", RELINK),
    Recipe("qwen-code", "lost-parent", partial(without_lines, of_qwen, 9), "relinked", RELINK),
    Recipe("pi", "cycle", cyclic_pi),
    Recipe("pi", "cycle", cyclic_pi, "relinked", RELINK),
    Recipe("claude-code", "cycle", cyclic, "relinked", RELINK),
    Recipe("claude-code", "heal-marker", healed),
    Recipe("claude-code", "heal-marker", lambda: marked(mislabelled(), 3), "beside-a-label"),
]
