"""Profiles of hypothesis: `make test` says the same twice of one state of the code; `make fuzz` looks for what is new, and much longer.

And places in buckets, of which each test gets one of its own.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from sessionkit.core.stores.addresses import Bucket
from tests.buckets import BUCKET, environment, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("fuzz", max_examples=20_000, deadline=None)
settings.load_profile("steady")


@pytest.fixture(scope="session")
def bucket_server() -> Iterator[str]:
    """Address of a server."""
    with serving() as url:
        yield url


@pytest.fixture
def bucket(bucket_server: str, monkeypatch: pytest.MonkeyPatch) -> Bucket:
    """Place without anything, on a server that the environment names."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name, value in environment(bucket_server).items():
        monkeypatch.setenv(name, value)
    return Bucket(BUCKET, f"team/{os.urandom(4).hex()}")
