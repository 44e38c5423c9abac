"""Pi: a provider of one's own in `models.json`, print mode, the session by its path."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.clients.client import Client, Place, Turn

if TYPE_CHECKING:
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


class Pi(Client):
    """It keeps its sessions as it finds them, and sends the whole branch with every request."""

    format = "pi"

    def placed(self, session: Session, place: Place) -> Session:
        """Its header names the folder; a session without one stays as it is."""
        first = session.lines[0].removeprefix(b"\xef\xbb\xbf")
        if b'"cwd":"/home/user/project"' not in first:
            return session
        cwd = json.dumps(str(place.project)).encode()
        return session.with_line(1, session.lines[0].replace(b'"cwd":"/home/user/project"', b'"cwd":' + cwd))

    def resume(self, place: Place, server: Loopback) -> Turn:
        agent = place.home / "agent"
        agent.mkdir(parents=True, exist_ok=True)
        place.project.mkdir(exist_ok=True)
        providers = {
            name: {"baseUrl": f"{server.url}{base}", "api": api, "apiKey": "none", "models": [_MODEL]}
            for name, (api, base) in _APIS.items()
        }
        (agent / "models.json").write_text(json.dumps({"providers": providers}))
        words = ("pi", "--offline", "--print", "--session", place.session, "And now?")
        return self.run(words, place, {"PI_CODING_AGENT_DIR": str(agent)})
