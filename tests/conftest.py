"""Profiles of hypothesis: `make fuzz` looks much longer than `make test`."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("fuzz", max_examples=20_000, deadline=None)
