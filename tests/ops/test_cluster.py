"""Clusters without one: what is told where there is none. With real processes: `tests/system/test_cluster.py`."""

from __future__ import annotations

import sys

import pytest

from sessionkit.errors import RefusedError
from sessionkit.ops.batch import Batch, Sized
from sessionkit.ops.dispatch import run
from tests.ops.test_batch import square
from tests.packaging import requirement_of

ELSEWHERE = Batch(cluster="tcp://127.0.0.1:1")


def test_without_the_library_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(RefusedError) as caught:
        list(run(square, [Sized(2, 1)], ELSEWHERE))
    assert caught.value.why == "the library dask.distributed is not installed"
    assert caught.value.hint == f"pip install '{requirement_of('cluster')}', which is the extra cluster, or use -j"


def test_what_reads_nothing_is_done_here() -> None:
    assert list(run(square, [Sized(2, 0), Sized(4, 0)], ELSEWHERE)) == [4, 16]


def test_a_session_is_cut_for_workers_that_are_not_counted_yet() -> None:
    assert (Batch(jobs=3).width, Batch(jobs=1, cluster="tcp://host:1").width, Batch(jobs=100, cluster="tcp://host:1").width) == (3, 64, 100)
