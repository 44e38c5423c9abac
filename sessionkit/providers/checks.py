"""Hold a request body against the limits of its interface, before it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from sessionkit.core.base64 import encoded_size
from sessionkit.core.model import NOWHERE, MediaKind
from sessionkit.core.pictures import Facts
from sessionkit.dataclass import dataclass
from sessionkit.providers.body import Payload, walk
from sessionkit.providers.limits import LIMITS, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sessionkit.core.model import Media, Origin
    from sessionkit.core.pictures import Trouble
    from sessionkit.providers.base import Provider
    from sessionkit.providers.body import Part, Steps, Tree
    from sessionkit.providers.draft import Draft

_PATCH: Final = 32
"""Pixels of a side."""

Look: TypeAlias = "Callable[[Media], Facts | Trouble]"


@dataclass(frozen=True, slots=True)
class Seen:
    """A medium of a body, and what it is."""

    media: Media
    facts: Facts


@dataclass(frozen=True, slots=True)
class BodySpot:
    """A block or message of a body, and the medium in it, if it is about one; no steps stand for the whole body."""

    steps: Steps = ()
    origin: Origin = NOWHERE
    seen: Seen | None = None


WHOLE: Final = BodySpot()


@dataclass(frozen=True, slots=True)
class Excess:
    """What exceeds a limit, and where."""

    rule: Rule
    measured: int
    allowed: int
    spot: BodySpot = WHOLE


@dataclass(frozen=True, slots=True)
class Verdict:
    """What will be refused, and what some hosts or models refuse, each in the order of the body, which has `size` bytes."""

    size: int
    media: tuple[Seen, ...] = ()
    breaches: tuple[Excess, ...] = ()
    doubts: tuple[Excess, ...] = ()


@dataclass(frozen=True, slots=True)
class _Measure:
    """What a spot takes of something that may be limited."""

    rule: Rule
    value: int
    spot: BodySpot = WHOLE

    def exceeds(self, bounds: Mapping[Rule, int]) -> bool:
        return self.rule in bounds and self.value > bounds[self.rule]


@dataclass(frozen=True, slots=True)
class _Shown:
    """A medium in its place, and the detail that is asked for beside it, if any is."""

    seen: Seen
    spot: BodySpot
    detail: Tree


def check(body: Draft, provider: Provider, model: str, look: Look) -> Verdict:
    """Compare all that can be measured with what is allowed. No medium is decoded or encoded."""
    limits = LIMITS[provider.api]
    parts = list(walk(body.members))
    shown = list(_media(parts, look))
    size = body.text_bytes + sum(encoded_size(one.seen.facts.bytes) for one in shown)
    images = sum(one.seen.media.kind is MediaKind.IMAGE for one in shown)
    side = Rule.MANY_SIDE if 0 < limits.many < images else Rule.SIDE
    measures = [measure for one in shown for measure in (*_of_medium(one, provider, side), *_of_patches(one, provider, model))]
    measures += [*_of_outputs(parts), _of_count(shown, limits.allowed[Rule.MEDIA]), _Measure(Rule.REQUEST, size)]
    doubtful = [measure for measure in measures if not measure.exceeds(limits.allowed)]
    media = tuple(one.seen for one in shown)
    return Verdict(size, media, _excesses(measures, limits.allowed), _excesses(doubtful, limits.cautious))


def _is_refused(seen: Seen, provider: Provider) -> bool:
    """Whether an image is of a type that the interface does not take."""
    if seen.media.kind is not MediaKind.IMAGE:
        return False
    return seen.facts.type.mime not in provider.image_types or (seen.facts.is_animated and not provider.takes_animation)


def _excesses(measures: Iterable[_Measure], bounds: Mapping[Rule, int]) -> tuple[Excess, ...]:
    return tuple(Excess(one.rule, one.value, bounds[one.rule], one.spot) for one in measures if one.exceeds(bounds))


def _media(parts: Iterable[Part], look: Look) -> Iterator[_Shown]:
    beside: Mapping[str, Tree] = {}
    for part in parts:
        match part.value:
            case dict() as members:
                beside = members
            case Payload(media):
                facts = look(media)
                if isinstance(facts, Facts):
                    seen = Seen(media, facts)
                    yield _Shown(seen, BodySpot(block_of(part.steps), part.origin, seen), beside.get("detail"))


def block_of(steps: Steps) -> Steps:
    """Cut the way to a medium's data off behind its block."""
    last = max((at for at, step in enumerate(steps) if isinstance(step, int)), default=-1)
    return steps[: last + 1]


def _of_medium(shown: _Shown, provider: Provider, side: Rule) -> Iterator[_Measure]:
    facts, spot = shown.seen.facts, shown.spot
    yield _Measure(Rule.TYPE, int(_is_refused(shown.seen, provider)), spot)
    yield _Measure(Rule.OUTPUT_BASE64 if "output" in spot.steps else Rule.BASE64, encoded_size(facts.bytes), spot)
    if facts.size is not None:
        yield _Measure(side, max(facts.size.width, facts.size.height), spot)


def _of_patches(shown: _Shown, provider: Provider, model: str) -> Iterator[_Measure]:
    """Count patches where there may be too many: for no model an image has more than it has as it is."""
    size, most = shown.seen.facts.size, LIMITS[provider.api].allowed.get(Rule.PATCHES)
    if size is not None and most is not None and -(-size.width // _PATCH) * -(-size.height // _PATCH) > most:
        from sessionkit.providers.patches import count_patches  # noqa: PLC0415  the formulas cost start-up, and few bodies need them

        detail = shown.detail if isinstance(shown.detail, str) else ""
        yield _Measure(Rule.PATCHES, count_patches(size, model, detail), shown.spot)


def _of_count(shown: Sequence[_Shown], allowed: int) -> _Measure:
    """Count media; the spot is the first one too many."""
    return _Measure(Rule.MEDIA, len(shown), shown[allowed].spot if len(shown) > allowed else WHOLE)


def _of_outputs(parts: Iterable[Part]) -> Iterator[_Measure]:
    for part in parts:
        match part.value:
            case {"type": "function_call_output", "output": output} | {"role": "tool", "content": output}:
                yield _Measure(Rule.OUTPUT_TEXT, _characters(output), BodySpot(part.steps, part.origin))


def _characters(output: Tree) -> int:
    """Count the characters of the texts of a result: a string, or a list of blocks."""
    return sum(len(part.value) for part in walk(output) if isinstance(part.value, str) and part.steps[-1:] in {(), ("text",)})
