"""Small tasks go to other processes together, and nobody's share is all of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sessionkit.ops.batch import Sized
from sessionkit.ops.grouping import groups_of, size_of

MIB = 1 << 20


@given(st.lists(st.integers(0, 20 * MIB), max_size=40).map(lambda sizes: sizes * 20), st.integers(1, 64))
def test_groups_are_all_tasks_in_order_and_none_is_large(sizes: list[int], workers: int) -> None:
    tasks = [Sized(number, size) for number, size in enumerate(sizes)]
    groups = groups_of(tasks, workers)
    assert [number for group in groups for number in group] == list(range(len(tasks)))
    for group in groups:
        assert len(group) in range(1, 257)
        assert len(group) == 1 or size_of(tasks, group) <= min(8 * MIB, sum(sizes) / workers / 4)


def test_a_folder_of_small_sessions_is_shared_by_all_workers() -> None:
    tasks = [Sized(number, 50_000) for number in range(100)]
    assert [len(group) for group in groups_of(tasks, 2)] == [12] * 8 + [4]


def test_thousands_of_small_sessions_go_by_the_hundred() -> None:
    tasks = [Sized(number, 100) for number in range(10_000)]
    assert {len(group) for group in groups_of(tasks, 1)} == {256, 10_000 % 256}
