"""Every picture is where its client sent it, in all requests that were recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Origin
from sessionkit.faults.manners import as_sent
from sessionkit.faults.open import Options
from sessionkit.faults.wire import Wire
from sessionkit.ops.locate.ways import steps_of
from sessionkit.providers import provider_of
from sessionkit.providers.body import Placed
from tests.faults.workshop import opened
from tests.ops.refusing import holders_in
from tests.ops.test_locate_refused import TWICE, WIRES, Recorded

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.providers.body import Tree


@pytest.mark.parametrize("wire", [wire for wire in WIRES if wire.wire not in TWICE], ids=lambda wire: wire.wire)
def test_every_picture_is_where_its_client_sent_it(wire: Recorded, tmp_path: Path) -> None:
    sent = wire.sent(tmp_path)
    with opened(tmp_path, sent.session, Options(leaf=wire.leaf)) as case:
        found = Wire(case.conversation, provider_of(sent.interface))
        ways = [steps_of(found.way(one.line, one.block)) for one in sent.exhibits]
    for way, holder in zip(ways, holders_in(sent.body), strict=True):
        block: object = sent.body
        for step in way:
            block = block[step]  # type: ignore[index]
        assert holder in list(holders_in({"": block})), way


def at(pointer: str, value: Tree) -> Placed:
    return Placed(value, Origin(line=1, pointer=pointer))


def test_two_tools_of_qwen_code() -> None:
    """Each picture goes to the tool that it came from, behind what that one said."""
    tools = [at(f"/{name}", {"role": "tool", "content": f"Read {name}.", "tool_call_id": name}) for name in "ab"]
    images = [at(f"/{name}/parts/0", {"type": "image_url"}) for name in "ba"]
    behind = at("/a", {"role": "user", "content": [{"type": "text", "text": "Attached image(s) from tool result:"}, *images]})
    *_, first, second = as_sent([*tools, behind], "qwen-code")
    text: Tree = {"type": "text", "text": "Read a."}
    assert first == at("/a", {"role": "tool", "content": [text, images[1]], "tool_call_id": "a"})
    assert second == at("/b", {"role": "tool", "content": [{"type": "text", "text": "Read b."}, images[0]], "tool_call_id": "b"})


def test_other_clients_send_what_we_send() -> None:
    messages: list[Tree] = [at("", {"role": "user", "content": "Hello"})]
    assert as_sent(messages, "pi") is messages
