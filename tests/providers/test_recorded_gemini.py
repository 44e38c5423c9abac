"""Bodies for Gemini of recorded sessions, held against what the agents themselves sent; every difference that is meant has a name."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.providers.base import Target
from sessionkit.providers.gemini import Gemini
from tests.formats.outlines import read
from tests.formats.test_gemini_cli_conversation import with_images_in_results
from tests.formats.wires import FIXTURES, pieces
from tests.providers.replayed import Items, first_lines, replayed, wire

if TYPE_CHECKING:
    from pathlib import Path

PI = Target("mockgem", "google-generative-ai", "mock")
GEMINI_CLI = Target("google", "google-generative-ai", "gemini-3.1-pro-preview")
SESSION = FIXTURES / "gemini-cli" / "session" / "session.jsonl"


def test_pi() -> None:
    conversation = read(FIXTURES / "pi" / "session" / "session.jsonl", "e14ef23d")
    assert replayed(conversation, Gemini(), PI) == wire("pi-gemini")


@pytest.mark.parametrize(("lines", "name"), [(33, "gemini-cli-session-gemini"), (46, "gemini-cli-resumed-gemini")])
def test_gemini_cli(lines: int, name: str, tmp_path: Path) -> None:
    ours = replayed(first_lines(SESSION, lines, tmp_path), Gemini(), GEMINI_CLI)
    theirs = without_repetitions(wire(name))
    assert pieces(ours) == with_images_in_results(pieces(theirs))
    assert with_short_ids(calls_of(ours)) == signed(calls_of(theirs))


def without_repetitions(contents: Items) -> Items:
    """Once it was resumed, Gemini CLI sends every result twice, with its image."""
    return [{**content, "parts": once(content["parts"])} for content in contents]


def once(parts: Items) -> Items:
    return [part for at, part in enumerate(parts) if part not in parts[:at]]


def calls_of(contents: Items) -> Items:
    return [part for part in chain.from_iterable(content["parts"] for content in contents) if "functionCall" in part]


def signed(calls: Items) -> Items:
    """Once it was resumed, Gemini CLI does not sign the calls that it had sent before."""
    return [{"thoughtSignature": "skip_thought_signature_validator", **part} for part in calls]


def with_short_ids(calls: Items) -> Items:
    """In the session the tool's name stands before them."""
    return [{**part, "functionCall": _with_short_id(part["functionCall"])} for part in calls]


def _with_short_id(call: dict[str, Any]) -> dict[str, Any]:
    return {**call, "id": call["id"].removeprefix(f"{call['name']}__")}
