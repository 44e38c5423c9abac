"""Sessions of real agents that lost lines, have them twice or in another order: what is left is a conversation that the vendors take."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionkit.core.pictures import Pictures
from sessionkit.core.stores.local import LocalStore
from sessionkit.errors import SessionkitError
from sessionkit.ops.conversations import read_conversation
from sessionkit.ops.sources import Source
from tests.laws.aims import AIMS, patient
from tests.providers.fixture_bodies import IDS, SESSIONS

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from sessionkit.core.model import Conversation

Change: TypeAlias = "tuple[str, int, int]"
"""What happens to a line, and to which; the other number is where it goes."""

LINES = {path: path.read_bytes().splitlines(keepends=True) for path in SESSIONS if path.suffix == ".jsonl"}
LONE_REASONING = "was provided without its required following item."
"""Codex's own reasoning goes out as Codex sends it, also where its turn broke off."""

changes: SearchStrategy[list[Change]] = st.lists(
    st.tuples(st.sampled_from(["lose", "double", "move", "cut"]), st.integers(0, 99), st.integers(0, 99)), min_size=1, max_size=6
)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mutilated") / "session.jsonl"


def mutilated(lines: list[bytes], changes: list[Change]) -> list[bytes]:
    lines = list(lines)
    for kind, place, other in changes:
        at, to = place % len(lines), other % len(lines)
        match kind:
            case "cut":
                del lines[len(lines) - at :]
            case "double":
                lines.insert(to, lines[at])
            case "move":
                lines.insert(to, lines.pop(at))
            case _ if len(lines) > 1:
                del lines[at]
    return lines


def read(session: Path) -> Conversation | None:
    """None if so much is gone that nobody knows what it was."""
    try:
        return read_conversation(Source(session, Path(session.name)), lambda _: None)
    except SessionkitError:
        return None


@pytest.mark.parametrize("format_", IDS)
@patient
@given(data=st.data())
def test_vendor_takes_what_is_left(session: Path, format_: str, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted(path for path in LINES if path.parts[-3] == format_)))
    session.write_bytes(b"".join(mutilated(LINES[path], data.draw(changes))))
    conversation = read(session)
    if conversation is None:
        return
    with LocalStore(path.parent / "images") as store:
        pictures = Pictures(store)
        for aim in AIMS:
            written = aim.written(conversation, pictures)
            assert written is not None
            refusals = aim.refusals(json.loads(written))
            assert [refusal for refusal in refusals if format_ != "codex" or LONE_REASONING not in refusal] == []
