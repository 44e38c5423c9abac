"""The request body of every session of the fixtures for every interface; as a program, the SHA-256 of each."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.core.pictures import Pictures
from sessionkit.core.stores.local import LocalStore
from sessionkit.ops.conversations import read_conversation
from sessionkit.ops.sources import Source
from sessionkit.providers import PROVIDERS
from sessionkit.providers.base import Target
from sessionkit.providers.body import write
from sessionkit.providers.replay import Choices, Replayed, replay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Conversation
    from sessionkit.providers.base import Provider

FIXTURES = Path(__file__).parents[2] / "fixtures"
IDS = ("claude-code", "codex", "gemini-cli", "ink", "native", "pi", "plain", "qwen-code")
SESSIONS = [path for id_ in IDS for path in sorted((FIXTURES / id_).glob("*/session.json*"))]
MODELS = {
    "anthropic": ["claude-fable-5"],
    "openai-chat": ["gpt-5.4"],
    "openai-responses": ["gpt-5.4"],
    "codex-responses": ["gpt-5.4"],
    "gemini": ["gemini-3-pro", "gemini-2.5-pro"],
}


@dataclass(frozen=True)
class Case:
    """A session, and whom it is sent to; without a model to the newest of its own that spoke this interface."""

    session: Path
    provider: Provider
    model: str

    def __repr__(self) -> str:
        return f"{self.session.parts[-3]}/{self.session.parts[-2]} to {self.provider.id} {self.model or 'itself'}"

    def target(self, conversation: Conversation) -> Target:
        api = self.provider.api
        own = (message.model for message in reversed(conversation.messages) if message.model and message.model.api == api)
        found = None if self.model else next(own, None)
        return Target(found.provider, api, found.model) if found else Target(self.provider.vendor, api, self.model)

    def replayed(self, session: Path, pictures: Pictures) -> tuple[Replayed, Target]:
        conversation = read_conversation(Source(session, Path(session.name)), lambda _: None)
        target = self.target(conversation)
        return replay(conversation, self.provider, target, Choices(), pictures), target

    def body(self, session: Path | None = None) -> bytes:
        """Of this session, or of its twin."""
        path = session or self.session
        with LocalStore(path.parent / "images") as store:
            pictures = Pictures(store)
            replayed, target = self.replayed(path, pictures)
            assert replayed.faults == ()
            return b"".join(write(self.provider.body(replayed.prompt, target), pictures.base64))


def cases() -> Iterator[Case]:
    for session in SESSIONS:
        for provider in PROVIDERS:
            for model in ["", *MODELS[provider.id]]:
                yield Case(session, provider, model)


def digests() -> dict[str, str]:
    return {repr(case): hashlib.sha256(case.body()).hexdigest() for case in cases()}


if __name__ == "__main__":
    json.dump(digests(), sys.stdout)
