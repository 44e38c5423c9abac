"""Pi: a provider of one's own in `models.json`, print mode, the session by its path."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.clients.client import Client, Place, Turn, run

if TYPE_CHECKING:
    from pathlib import Path

    from tests.faults.workshop import Session
    from tests.providers.loopback import Loopback

_APIS = {
    "mockant": ("anthropic-messages", ""),
    "mockoai": ("openai-completions", "/v1"),
    "mockresp": ("openai-responses", "/v1"),
    "mockgem": ("google-generative-ai", "/v1beta"),
}
"""The providers that the recorded sessions name, the interface of each, and where it begins on the server."""
_MODEL = {"id": "mock", "input": ["text", "image"], "contextWindow": 1_000_000, "maxTokens": 4096}
_ELSEWHERE = b'"cwd":"/home/user/project"'


class Pi(Client):
    """It has no defence: it sends the whole branch with every request, and shows what it is told."""

    format = "pi"

    def settle(self, session: Session, place: Place) -> Path:
        """Its header, if it has one, names the project."""
        path = place.folder / "session.jsonl"
        here = b'"cwd":' + json.dumps(str(place.project)).encode()
        path.write_bytes(session.with_line(1, session.lines[0].replace(_ELSEWHERE, here)).content)
        return path

    def resume(self, session: Path, place: Place, server: Loopback) -> Turn:
        agent = place.home / "agent"
        agent.mkdir(parents=True)
        providers = {
            name: {"baseUrl": f"{server.url}{base}", "api": api, "apiKey": "none", "models": [_MODEL]}
            for name, (api, base) in _APIS.items()
        }
        (agent / "models.json").write_text(json.dumps({"providers": providers}))
        return run(("pi", "--offline", "--print", "--session", session, "And now?"), place, {"PI_CODING_AGENT_DIR": str(agent)})
