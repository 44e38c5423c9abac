"""Requests of sessions, damaged like the sessions themselves, so that a strict provider says why it refuses them."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sessionkit.core.model import media_of
from sessionkit.faults.open import Options
from sessionkit.providers import provider_of
from sessionkit.providers.base import Target
from sessionkit.providers.body import write
from sessionkit.providers.replay import Choices, replay
from tests.faults.workshop import opened
from tests.providers.recorded import recorded
from tests.providers.strict import anthropic, gemini, openai_chat, openai_responses

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit
    from tests.faults.workshop import Session
    from tests.providers.strict.base import Loaded, Refusal

INTERFACES = ("anthropic", "openai-chat", "openai-responses", "gemini")


@dataclass(frozen=True)
class Sent:
    """A session and the request that it became. The pictures of both are paired: each exhibit with the member that holds its data."""

    session: Session
    interface: str
    body: Loaded
    exhibits: tuple[Exhibit, ...]
    leaf: str | None = None

    def refused(self, body: Loaded) -> list[Refusal]:
        """What is wrong with a body and was not with the first one."""
        before = {json.dumps(refusal.envelope) for refusal in refusals(self.interface, self.body)}
        return [refusal for refusal in refusals(self.interface, body) if json.dumps(refusal.envelope) not in before]

    def damaged(self, changes: Iterable[tuple[int, str, str]]) -> tuple[Session, Loaded]:
        """Change pictures by their number: to another label, and other base64; in the session and in the body."""
        session, body = self.session, copy.deepcopy(self.body)
        holders = list(holders_in(body))
        for number, label, text in changes:
            _spell(holders[number], label, text)
            session = respelled(session, self.exhibits[number], label, text)
        return session, body

    def now(self, number: int) -> tuple[str, str]:
        """Label and base64 of a picture in the body."""
        return _spelled(list(holders_in(self.body))[number])


def sent_by_client(name: str, session: Session, folder: Path, leaf: str | None = None) -> Sent:
    """Take a request that was recorded."""
    interface, body = recorded(name)
    with opened(folder, session, Options(leaf=leaf)) as case:
        return Sent(session, interface, body, _paired(case, body), leaf)


def rehydrated(session: Session, folder: Path, interface: str) -> Sent:
    """Make a request of a session."""
    provider = provider_of(interface)
    target = Target(provider.vendor, provider.api)
    with opened(folder, session) as case:
        prompt = replay(case.conversation, provider, target, Choices(), case.pictures).prompt
        body = json.loads(b"".join(write(provider.body(prompt, target), case.pictures.base64)))
        return Sent(session, interface, body, _paired(case, body))


def refusals(interface: str, body: Loaded) -> Iterator[Refusal]:
    match interface:
        case "anthropic":
            return anthropic.refusals(body)
        case "openai-chat":
            return openai_chat.refusals(body)
        case "openai-responses":
            return openai_responses.refusals(body)
        case _:
            return gemini.refusals(body)


def respelled(session: Session, exhibit: Exhibit, label: str, text: str) -> Session:
    """Write a picture with another label and base64, at this place alone."""
    assert exhibit.value is not None
    if exhibit.label is not None:
        session = session.with_value(exhibit.line, exhibit.label, label)
    prefix = f"data:{label};base64," if exhibit.prefix else ""
    return session.with_value(exhibit.line, exhibit.value, prefix + text)


def _paired(case: Case, body: Loaded) -> tuple[Exhibit, ...]:
    """Pair the pictures of a request with those of its session: both are in the order of the conversation, equal ones too."""
    by_place = {(one.line, f"{one.block}{end}"): one for one in case.gallery.live for end in ("", "/inlineData", "/inline_data")}
    places = ((media.origin.line, media.origin.pointer) for media in media_of(case.conversation.messages))
    waiting = [by_place[place] for place in places if place in by_place]
    found = []
    for holder in holders_in(body):
        found.append(next(one for one in waiting if one.text == _spelled(holder)[1]))
        waiting.remove(found[-1])
    return tuple(found)


def holders_in(value: Any) -> Iterator[Loaded]:  # noqa: ANN401  any part of a body
    """The objects that hold the data of pictures, in their order."""
    match value:
        case {"type": "image", "source": dict() as source}:
            yield source
        case {"image_url": dict() as holder}:
            yield holder
        case {"inlineData": {"mimeType": str(label)} as holder} if label.startswith("image/"):
            yield holder
        case {"type": "input_image"} as holder:
            yield holder
        case dict():
            for inner in value.values():
                yield from holders_in(inner)
        case list():
            for inner in value:
                yield from holders_in(inner)


def _spelled(holder: Loaded) -> tuple[str, str]:
    if "data" in holder:
        return str(holder.get("media_type") or holder.get("mimeType")), str(holder["data"])
    head, _, text = str(holder.get("url") or holder.get("image_url")).partition(";base64,")
    return head.removeprefix("data:"), text


def _spell(holder: Loaded, label: str, text: str) -> None:
    if "data" in holder:
        holder["media_type" if "media_type" in holder else "mimeType"] = label
        holder["data"] = text
    else:
        holder["url" if "url" in holder else "image_url"] = f"data:{label};base64,{text}"
