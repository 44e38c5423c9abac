"""Texts without a letter."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.model import Origin, Text
from sessionkit.providers.base import Thoughts
from sessionkit.providers.replay.blanks import drop_blanks
from tests.providers.prompts import assistant, call, png, result, tool, user
from tests.providers.replay.told import noted, told

if TYPE_CHECKING:
    from sessionkit.core.model import Json, Message


@pytest.mark.parametrize(
    ("message", "left"),
    [
        (user(Text("1"), Text(""), Text(" \n\t\u00a0"), Text(" 2")), ["user: 1 |  2"]),
        (user(Text("")), []),
        (user(), []),
        (assistant(), []),
        (user(Text(" "), png()), ["user: <image image/png>"]),
        (assistant(Text(""), call("a")), ["assistant: read a {}"]),
        (tool(result("a", Text("")), result("b", Text("\n"), png())), ["tool: a= | b=<image image/png>"]),
    ],
)
def test_blank_texts_go(message: Message, left: list[str]) -> None:
    outcome = drop_blanks((replace(message, origin=Origin(line=3)),), Thoughts.ALL)
    assert told(outcome.messages) == left
    assert noted(outcome) == ([] if left else ["line 3: the message is empty: it is not sent"])


@pytest.mark.parametrize(
    ("carried", "stays"),
    [
        ({"thoughtSignature": "c2ln"}, True),
        ({"thought_signature": "c2k="}, True),
        ({"textSignature": "cw=="}, True),
        ({"textSignature": '{"v":1,"id":"msg_1"}'}, False),
        ({"textSignature": "msg_1234"}, False),
        ({"thoughtSignature": "c2l"}, False),
        ({"thoughtSignature": ""}, False),
        ({"thoughtSignature": 7}, False),
        ({"detail": "c2ln"}, False),
    ],
)
def test_a_signature_of_gemini_is_kept_in_its_text(carried: dict[str, Json], stays: bool) -> None:
    message = assistant(Text("", carried=carried))
    assert drop_blanks((message,), Thoughts.ALL).messages == ((message,) if stays else ())
    assert drop_blanks((message,), Thoughts.SIGNED).messages == ()
