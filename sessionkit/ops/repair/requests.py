"""The next request of a session, with hashes in the place of its base64: so two of them can be compared in little memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sessionkit.core.base64 import encoded_size
from sessionkit.core.model import NOWHERE
from sessionkit.core.pictures import Facts
from sessionkit.dataclass import dataclass
from sessionkit.ops.rehydrate.aim import take_aim
from sessionkit.ops.rehydrate.options import Options
from sessionkit.ops.repair.result import Alike, Request
from sessionkit.providers.body import walk, write
from sessionkit.providers.prefix import compare
from sessionkit.providers.replay import Bad, Choices, Missing, replay
from sessionkit.providers.units import read_body

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sessionkit.core.model import Media
    from sessionkit.faults.case import Case
    from sessionkit.providers.body import Steps, Tree

_AS_IT_IS = Choices(missing=Missing.PLACEHOLDER, bad=Bad.KEEP)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where something of a request stands in the session, and in the client's request."""

    line: int
    way: str


@dataclass(frozen=True, slots=True)
class Sent:
    """A request that is written out; `size` counts its base64. `places` are those of its messages and blocks, by our ways to them."""

    provider: str
    text: bytes
    size: int
    places: Mapping[Steps, Standing]


def request_of(case: Case) -> Sent:
    """Build the next request over the interface of the newest answer. A text stands in it for what cannot be sent."""
    provider = case.wire.provider
    target = take_aim(case.conversation, Options(provider)).target
    body = provider.body(replay(case.conversation, provider, target, _AS_IT_IS, case.pictures).prompt, target)
    hashes = _Hashes(case)
    text = b"".join(write(body, hashes.of))
    return Sent(provider.id, text, len(text) + hashes.saved, dict(_places(case, body)))


def comparison_of(before: Sent, after: Sent) -> Request:
    """Find out where two requests part."""
    if before.text == after.text:
        return Request(Alike.SAME, before.provider, before.size, after.size)
    found = compare(read_body(json.loads(before.text)), read_body(json.loads(after.text)))
    steps = found.earlier.spot.steps if found.earlier.spot else ()
    there = _standing(steps, before.places)
    return Request(Alike.PARTS, before.provider, before.size, after.size, there.way, there.line, found.again)


class _Hashes:
    """Gives the hash of a medium where its base64 belongs, and counts what that saves."""

    def __init__(self, case: Case) -> None:
        self._pictures = case.pictures
        self.saved = 0

    def of(self, media: Media) -> bytes:
        look = self._pictures.look(media)
        facts = look if isinstance(look, Facts) else look.facts
        if facts is None:
            return b""
        self.saved += encoded_size(facts.bytes) - len(facts.sha256)
        return facts.sha256.encode()


def _places(case: Case, body: Mapping[str, Tree]) -> Iterator[tuple[Steps, Standing]]:
    for part in walk(body):
        if part.origin != NOWHERE and isinstance(part.value, dict):
            yield part.steps, Standing(part.origin.line, case.wire.way(part.origin.line, part.origin.pointer))


def _standing(steps: Steps, places: Mapping[Steps, Standing]) -> Standing:
    """Find what stands at the end of a way, or around it."""
    while steps and steps not in places:
        steps = steps[:-1]
    return places.get(steps, Standing(0, ""))
