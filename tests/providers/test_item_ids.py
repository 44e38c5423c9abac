from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import NOWHERE, Text, Thinking, ToolCall
from sessionkit.providers.base import Target
from sessionkit.providers.body import Placed
from sessionkit.providers.openai_responses import OpenAIResponses
from sessionkit.providers.openai_responses.item_ids import with_ids_of_their_own
from tests.providers.prompts import assistant, sent_messages, user

if TYPE_CHECKING:
    from sessionkit.core.model import Block
    from sessionkit.providers.body import Tree

OPENAI = Target("openai", "openai-responses", "gpt-5.4")


def text(id_: str) -> Text:
    return Text("Seen.", carried={"textSignature": id_})


def call(id_: str, item: str) -> ToolCall:
    return ToolCall(id_, "read", {}, carried={"id": item})


@pytest.mark.parametrize(
    ("blocks", "ids"),
    [
        ([text("msg_1"), text("msg_1"), text("msg_1")], ["msg_1", "msg_1_2", "msg_1_3"]),
        ([text("msg_pi_1_1"), Text("Seen.")], ["msg_pi_1_1", "msg_pi_1_1_2"]),
        ([text("msg_" + "m" * 60)] * 2, ["msg_" + "m" * 60, "msg_" + "m" * 58 + "_2"]),
        ([text("msg_1_2"), text("msg_1"), text("msg_1")], ["msg_1_2", "msg_1", "msg_1_3"]),
        ([call("a", "fc_1"), call("b", "fc_1"), call("c", "fc_2")], ["fc_1", None, "fc_2"]),
        ([Thinking("", '{"type":"reasoning","id":"rs_1"}')] * 2 + [text("msg_1")], ["rs_1", "msg_1"]),
    ],
)
def test_no_id_is_sent_twice(blocks: list[Block], ids: list[str | None]) -> None:
    _, *items = sent_messages(OpenAIResponses(), OPENAI, user(Text("Look.")), assistant(*blocks))
    assert [item.get("id") for item in items] == ids


def test_items_without_ids_stay() -> None:
    items: list[Tree] = [{"role": "system", "content": "x"}, Placed({"role": "user", "content": "x"}, NOWHERE)]
    assert list(with_ids_of_their_own(items)) == items
