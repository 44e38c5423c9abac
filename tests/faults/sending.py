"""The next request as the agent sends it: what stands in the session, whatever is wrong with it, before a strict vendor."""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from sessionkit.core.model import MediaKind
from sessionkit.faults.exhibits import Flaw
from sessionkit.faults.profiles import Rule
from sessionkit.providers.body import write
from tests.providers.strict import anthropic, anthropic_words, gemini, openai_chat, openai_responses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sessionkit.core.model import Media
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit
    from tests.providers.strict.base import Loaded, Refusal

Holder: TypeAlias = "tuple[dict[str, Any], str]"

_JUDGES: dict[str, Callable[[Loaded], Iterable[Refusal]]] = {
    "anthropic-messages": lambda body: anthropic.refusals(body, anthropic_words.EARLIER),
    "openai-completions": openai_chat.refusals,
    "openai-responses": openai_responses.refusals,
    "google-generative-ai": gemini.refusals,
}


HABITS = {
    "gemini-cli": "Please ensure that the number of function response parts",  # it sends results twice
    "qwen-code": "Image URLs are only allowed for messages with role 'user'",  # it sends images in results of tools
}
"""What the fake vendors refuse of healthy sessions, as their agents send them."""


def refused(case: Case) -> list[str]:
    """What the vendor would say to the next request, but for what it says of all sessions of this agent."""
    return [words for words in told(case) if case.format not in HABITS or HABITS[case.format] not in words]


def told(case: Case) -> list[str]:
    """What the vendor would say to the next request."""
    return [refusal.message for refusal in _JUDGES[case.wire.provider.api](sent(case))]


def sent(case: Case) -> dict[str, Any]:
    """The body: our own, and in the place of each medium what the session holds there."""
    shown = {(exhibit.line, exhibit.block): exhibit for exhibit in case.gallery.live}
    used: list[Exhibit] = []

    def mark(media: Media) -> bytes:
        pointer = media.origin.pointer.removesuffix("/inlineData").removesuffix("/inline_data")
        used.append(shown[media.origin.line, pointer])
        return f"@{len(used) - 1}@".encode()

    body: dict[str, Any] = json.loads(b"".join(write(case.wire._body, mark)))
    for holder, name in list(_marked(body)):
        _fill(case, holder, name, used[int(str(holder[name]).split("@")[1])])
    return body


def _marked(value: object) -> Iterable[Holder]:
    """Objects and the names of their members in which a mark stands."""
    match value:
        case dict():
            yield from ((value, name) for name, inner in value.items() if _is_mark(inner))
            yield from chain.from_iterable(map(_marked, value.values()))
        case list():
            yield from chain.from_iterable(map(_marked, value))


def _is_mark(value: object) -> bool:
    return isinstance(value, str) and value.startswith(("@", "data:")) and value.endswith("@")


def _fill(case: Case, holder: dict[str, Any], name: str, exhibit: Exhibit) -> None:
    label = _label(case, exhibit)
    if name in {"image_url", "url", "file_data"}:
        bare = exhibit.prefix == "" and exhibit.form.name in {"URL", "NESTED_URL"}
        holder[name] = exhibit.text if bare else f"data:{label};base64,{exhibit.text}"
        return
    holder[name] = exhibit.prefix + exhibit.text if exhibit.is_bare else exhibit.text
    for key in {"media_type", "mimeType"} & holder.keys():
        holder[key] = label
    if exhibit.flaw is Flaw.UNKNOWN_SOURCE:
        holder["type"] = "asset"


def _label(case: Case, exhibit: Exhibit) -> str:
    """What is declared; where the vendor looks at the bytes alone, their own type, so that only what it minds is refused."""
    facts = case.facts(exhibit)
    is_image = exhibit.media.kind is MediaKind.IMAGE
    if facts is not None and is_image and not case.profile.minds(Rule.LABEL) and facts.type in case.profile.types:
        return facts.type.mime
    return exhibit.media.media_type or (facts.type.mime if facts and exhibit.flaw is Flaw.NONE else "")
