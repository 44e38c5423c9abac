"""Suspects as hits: what they are, where they stand again, and what cures them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.model import Media, Shell, Text, Thinking, ToolCall, ToolResult, Unsupported
from sessionkit.faults.base import Spot
from sessionkit.ops.locate.result import Cured, Evidence, Hit, Incurable, Noted
from sessionkit.ops.locate.sayings import Subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sessionkit.core.model import Block
    from sessionkit.ops.locate.result import Remedy
    from sessionkit.ops.locate.scene import Scene, Suspect

_OF_MESSAGE: Final = 2
"""Steps of the way to a whole message."""
_NOT_A_PICTURE: Final = "it is no picture, and no cure of it is known"


def hit_of(scene: Scene, suspect: Suspect, *evidence: Evidence) -> Hit:
    """Describe a suspect, at that of its places which the refusal names."""
    spot = next((place for place in suspect.places if suspect.is_named(place, scene.ways)), suspect.spot)
    twins = suspect.finding.twins if suspect.finding else _copies(scene, suspect)
    return Hit(
        spot,
        _kind(scene, suspect),
        tuple(evidence),
        _remedy(scene, suspect),
        suspect.places[spot],
        suspect.finding,
        scene.case.image(suspect.exhibit) if suspect.exhibit else None,
        tuple(place for place in (suspect.spot, *twins) if place != spot),
    )


def hits_of(scene: Scene, suspects: Iterable[Suspect], *evidence: Evidence) -> tuple[Hit, ...]:
    """Describe several, in the order of the lines."""
    return tuple(hit_of(scene, suspect, *evidence) for suspect in sorted(suspects, key=lambda one: one.spot.line))


def may_be_meant(scene: Scene, suspect: Suspect) -> bool:
    """Whether what stands at a place is of the kind that the refusal is about; of a whole message something in it may be."""
    kind = _kind(scene, suspect)
    match scene.refusal.saying.subject if scene.refusal.saying else Subject.ANYTHING:
        case Subject.CALL:
            wanted = kind.startswith(("call of", "result of"))
        case Subject.IMAGE:
            wanted = suspect.exhibit is not None
        case Subject.ANYTHING:
            wanted = True
    return wanted or (not kind and any(len(way) <= _OF_MESSAGE for way in suspect.places.values()))


def _copies(scene: Scene, suspect: Suspect) -> tuple[Spot, ...]:
    return scene.case.twins(suspect.exhibit) if suspect.exhibit else ()


def _remedy(scene: Scene, suspect: Suspect) -> Remedy:
    finding, exhibit = suspect.finding, suspect.exhibit
    if finding and finding.cure:
        return Cured(finding.fault, finding.option, scene.named_profile)
    if exhibit:
        return Noted(Spot(exhibit.line, exhibit.block))
    return Incurable(finding.obstacle if finding else _NOT_A_PICTURE)


def _kind(scene: Scene, suspect: Suspect) -> str:
    if suspect.exhibit:
        return suspect.exhibit.media.kind.value
    spot = suspect.spot
    return next((_name(block) for block in _blocks(scene) if (block.origin.line, block.origin.pointer) == (spot.line, spot.pointer)), "")


def _blocks(scene: Scene) -> Iterator[Block]:
    for message in scene.case.conversation.messages:
        for block in message.content:
            yield block
            if isinstance(block, ToolResult):
                yield from block.content


def _name(block: Block) -> str:
    match block:
        case ToolCall(name=name):
            return f"call of {name}"
        case ToolResult():
            return "result of a call"
        case Text() | Shell():
            return "text"
        case Thinking():
            return "reasoning"
        case Media() | Unsupported():
            return "block"
