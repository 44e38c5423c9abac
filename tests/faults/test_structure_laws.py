"""Whatever has happened to the lines of a session: what can be cured is, nothing else is touched, and once is enough."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.faults.recipes.chains import cyclic, cyclic_pi
from tests.faults.repairing import left_to_cure, repaired
from tests.faults.structure_bases import chain, cut, doubled, glued, of_codex, of_gemini, of_pi, of_qwen, slow_chain, stubbed

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from tests.faults.workshop import Session

SESSIONS = [chain(), slow_chain(), of_pi(), of_qwen(), of_gemini(), of_codex(), cyclic(), cyclic_pi()]
EVERYTHING = frozenset(
    {"relink", "pairs", "dedupe", "unhide", "all", "nul-escape", "slim twins", "slim dead", "slim repeats", "slim off-path"}
)


def with_nuls(session: Session, at: int) -> Session:
    return session.with_line(at, b"\0" * 5 + session.lines[at - 1])


def with_bad_bytes(session: Session, at: int) -> Session:
    raw = session.lines[at - 1]
    return session.with_line(at, raw[:-3].replace(b'":"', b'":"\xff\\ud800', 1) + raw[-3:])


def with_tab(session: Session, at: int) -> Session:
    raw = session.lines[at - 1]
    return session.with_line(at, raw[:-3].replace(b'":"', b'":"\t', 1) + raw[-3:])


def without(session: Session, at: int) -> Session:
    return replace(session, lines=(*session.lines[: at - 1], *session.lines[at:]))


def torn(session: Session, at: int) -> Session:
    raw = session.lines[at - 1]
    return session.with_line(at, raw[: len(raw) // 2] + b"\n")


DAMAGES: list[Callable[[Session, int], Session]] = [
    with_nuls,
    with_bad_bytes,
    with_tab,
    without,
    torn,
    lambda session, at: glued(session, at, 2),
    lambda session, at: stubbed(session, at, 40) if at < len(session.lines) else session,
    lambda session, at: cut(session, max(at, len(session.lines) - 1), 77),
    lambda session, _: doubled(session),
]
harms = st.lists(st.tuples(st.sampled_from(DAMAGES), st.integers(1, 12)), max_size=4)


def damaged(session: Session, harm: list[tuple[Callable[[Session, int], Session], int]]) -> Session:
    for damage, at in harm:
        session = damage(session, min(at, len(session.lines)))
    return session


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(session=st.sampled_from(SESSIONS), harm=harms, options=st.sampled_from([frozenset(), EVERYTHING]))
def test_one_repair_is_enough(
    session: Session,
    harm: list[tuple[Callable[[Session, int], Session], int]],
    options: frozenset[str],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("law")
    once = repaired(folder, damaged(session, harm).content, options).content
    assert left_to_cure(folder, once) == []
    assert repaired(folder, once, options).content == once


@settings(max_examples=15, deadline=None)
@given(session=st.sampled_from(SESSIONS[:5]), at=st.integers(2, 12), count=st.integers(2, 3))
def test_what_was_glued_and_filled_up_comes_back(session: Session, at: int, count: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("law")
    after = repaired(folder, glued(with_nuls(session, at), at, count).content).content
    assert after == session.with_line(at, b" " * 5 + session.lines[at - 1]).content
