"""Profiles of hypothesis: `make test` says the same twice of one state of the code; `make fuzz` looks for what is new, and much longer."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("fuzz", max_examples=20_000, deadline=None)
settings.load_profile("steady")
