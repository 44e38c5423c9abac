"""Whom bodies are for, and how one is written and judged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from sessionkit.providers import PROVIDERS, provider_of
from sessionkit.providers.base import PLAIN, Cache, Labels, OpenAIDetail, Style, Target
from sessionkit.providers.body import write
from sessionkit.providers.replay import Bad, Choices, Missing, Orphans, replay
from tests.providers.schemas import faults
from tests.providers.strict import anthropic, gemini, openai_chat, openai_responses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sessionkit.core.model import Conversation
    from sessionkit.core.pictures import Pictures
    from sessionkit.providers.base import Provider
    from tests.providers.strict.base import Loaded, Refusal

JUDGES: dict[str, Callable[[Loaded], Iterator[Refusal]]] = {
    "anthropic": anthropic.refusals,
    "openai-chat": openai_chat.refusals,
    "openai-responses": openai_responses.refusals,
    "codex-responses": openai_responses.refusals,
}
MODELS = {"anthropic": "claude-fable-5", "gemini": "gemini-3-pro"}
GEMINI = provider_of("gemini")
patient = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much], deadline=None)


@dataclass(frozen=True)
class Aim:
    """An interface, a model behind it, and what was chosen."""

    provider: Provider
    model: str
    sees: bool = True
    orphans: Orphans = Orphans.DROP
    style: Style = PLAIN

    @property
    def target(self) -> Target:
        return Target(self.provider.vendor, self.provider.api, self.model, self.sees)

    @property
    def choices(self) -> Choices:
        """Where something cannot be sent a text stands for it."""
        return Choices(self.orphans, Missing.PLACEHOLDER, Bad.PLACEHOLDER)

    def refusals(self, body: Loaded) -> list[str]:
        """What the vendor says to it; nothing is asked of a body without a message, of which there can be none."""
        judge = JUDGES.get(self.provider.id, partial(gemini.refusals, model=self.model))
        return [refusal.message for refusal in judge(body)] if body[self.provider.list_name] else []

    def faults(self, body: Loaded) -> list[str]:
        """What the types of the vendor's client do not allow."""
        return faults("openai-responses" if self.provider.id == "codex-responses" else self.provider.id, body)

    def written(self, conversation: Conversation, pictures: Pictures, choices: Choices | None = None) -> bytes | None:
        """The body; None if something in the conversation stops all."""
        replayed = replay(conversation, self.provider, self.target, choices or self.choices, pictures)
        body = self.provider.body(replayed.prompt, self.target, self.style)
        return None if replayed.faults else b"".join(write(body, pictures.base64))


AIMS = [*(Aim(provider, MODELS.get(provider.id, "gpt-5.4")) for provider in PROVIDERS), Aim(GEMINI, "gemini-2.5-pro"), Aim(GEMINI, "")]
WITH_IDS = [aim for aim in AIMS if aim.provider.id != "gemini" or aim.model == "gemini-3-pro"]
"""Those in whose bodies results tell their calls."""
aims = st.sampled_from(AIMS)
styles = st.builds(
    Style, st.sampled_from(Cache), st.sampled_from([None, OpenAIDetail.AUTO, OpenAIDetail.LOW, OpenAIDetail.HIGH]), st.sampled_from(Labels)
)
all_aims = st.builds(replace, aims, sees=st.booleans(), orphans=st.sampled_from(Orphans), style=styles)
