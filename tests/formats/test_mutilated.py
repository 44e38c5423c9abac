"""A session in which any value is something else is still read: whatever an agent may write next year, or a hand has edited."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessionkit.core.entries import Entry
from sessionkit.formats import FORMATS
from tests.ops.runs import FIXTURES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sessionkit.formats.head import JsonObject

Steps: TypeAlias = "tuple[str | int, ...]"

BOOKS = {book.id: book for book in reversed(FORMATS)}
SESSIONS = [path for path in sorted(FIXTURES.glob("*/*/session.jsonl")) if path.parts[-3] in BOOKS]
NEAR = 8
"""Lines on each side of the mutilated one that are read along."""

JUNK: list[object] = [None, True, 1, -1.5, 10**30, "", "x", [], [None], [[]], {}, {"a": None}, [{"type": None}], "data:image/png;base64,"]


def places(value: object, steps: Steps = ()) -> Iterator[Steps]:
    """Every place in a value but its root."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, child in inner:
        yield (*steps, step)
        yield from places(child, (*steps, step))


def mutilate(value: JsonObject, steps: Steps, junk: object) -> JsonObject:
    copy = holder = deepcopy(value)
    for step in steps[:-1]:
        holder = holder[step]  # type: ignore[index,assignment]
    holder[steps[-1]] = junk  # type: ignore[index]
    return copy


def entries_of(session: Path) -> list[Entry]:
    """Entries of the lines that hold one."""
    raw = session.read_bytes().splitlines()
    return [Entry(json.loads(line), at) for at, line in enumerate(raw, 1) if b"}{" not in line]


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_no_value_stops_the_reader(session: Path, data: st.DataObject) -> None:
    entries = entries_of(session)
    at = data.draw(st.integers(0, len(entries) - 1))
    steps = data.draw(st.sampled_from(list(places(entries[at].value))))
    entries[at] = Entry(mutilate(entries[at].value, steps, data.draw(st.sampled_from(JUNK))), entries[at].line)
    BOOKS[session.parts[-3]].conversation(entries[max(0, at - NEAR) : at + NEAR], "session.jsonl", None)
