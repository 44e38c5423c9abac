"""What may have been refused: by the rule that is named, and by the numbers, ids and texts that are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.model import Media, Thinking, ToolCall, ToolResult
from sessionkit.core.pictures import Facts as Seen
from sessionkit.faults import FAULTS, fault_of
from sessionkit.faults.base import Finding, Severity, State
from sessionkit.faults.judging import MediaFault, is_warning
from sessionkit.ops.locate.ways import is_related

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sessionkit.core.model import Block
    from sessionkit.faults.base import Spot
    from sessionkit.faults.exhibits import Exhibit
    from sessionkit.ops.locate.scene import Scene, Suspect

_PATCH: Final = 32
_MIB: Final = 1 << 20
_IN_ANSWER: Final = "it stands in an answer of the model"


def by_rule(scene: Scene) -> tuple[Suspect, ...]:
    """All that breaks the rule that is named, live or not; what the vendor is not known to mind only if there is nothing else."""
    saying = scene.refusal.saying
    if saying is None:
        return ()
    faults = [fault_of(id_) for id_ in saying.faults]
    found = [scene.suspect(finding) for fault in faults for finding in fault.find(scene.case)]
    found += [scene.suspect(finding) for fault in faults if isinstance(fault, MediaFault) for finding in _in_answers(scene, fault)]
    found += map(scene.exhibit, _of_no_fault(scene))
    minded = [suspect for suspect in found if suspect.finding is None or suspect.finding.severity is not Severity.HARMLESS]
    return tuple(minded or found)


def by_fact(scene: Scene, broken: Iterable[Suspect]) -> tuple[Suspect, ...]:
    """Those that have exactly the number or id that is told, once for each picture; with what they break of the rule."""
    facts = scene.refusal.facts
    if facts.base64_length is not None:
        return _pictures(scene, broken, lambda one: scene.case.base64_length(one) == facts.base64_length)
    if facts.patches is not None:
        return _pictures(scene, broken, lambda one: _patches(scene, one) == facts.patches)
    return _by_ids(scene, facts.ids, broken)


def of_any_rule(scene: Scene) -> tuple[Suspect, ...]:
    """All live faults that can make a turn fail."""
    findings = (finding for fault in FAULTS for finding in fault.find(scene.case))
    return tuple(scene.suspect(finding) for finding in findings if _matters(scene, finding))


def notes_at_ways(scene: Scene) -> tuple[str, ...]:
    """Ids of all faults that are found at the places that are named, however little they matter; but for those of size alone."""
    there = [suspect.spot for suspect in scene.at_ways()]
    findings = (finding for fault in FAULTS for finding in fault.find(scene.case))
    return tuple(
        dict.fromkeys(one.fault for one in findings if one.severity is not Severity.BLOATS and any(_is_same(one.spot, at) for at in there))
    )


def _matters(scene: Scene, finding: Finding) -> bool:
    is_doubtful = is_warning(scene.case) and finding.severity is Severity.HARMLESS and finding.state is State.LIVE
    return finding.counts or is_doubtful


def fits(scene: Scene, suspect: Suspect) -> bool:
    """Whether a suspect has all that is quoted of a picture; true if nothing is."""
    return not _quotes(scene) or (suspect.exhibit is not None and all(fits_(suspect.exhibit) for fits_ in _quotes(scene).values()))


def by_quote(scene: Scene) -> tuple[Suspect, ...]:
    """Live pictures that have all that is quoted of one, whatever rule they break."""
    quotes = _quotes(scene).values()
    return _pictures(scene, of_any_rule(scene), lambda one: all(fits_(one) for fits_ in quotes)) if quotes else ()


def nothing_with(scene: Scene) -> str:
    """Say which fact that is told nothing in the request has; empty if something has each of them."""
    facts, live = scene.refusal.facts, scene.case.gallery.live
    if facts.base64_length is not None:
        return f"no picture has {facts.base64_length} characters of base64"
    if facts.patches is not None:
        return f"no picture takes {facts.patches} patches"
    if facts.ids:
        return f"nothing has the id {facts.ids[0]}"
    return next((words for words, fits_ in _quotes(scene).items() if not any(map(fits_, live))), "")


def _quotes(scene: Scene) -> Mapping[str, Callable[[Exhibit], bool]]:
    """What is quoted of a picture: what to say if none is so, and how to tell."""
    facts = scene.refusal.facts
    quotes: dict[str, Callable[[Exhibit], bool]] = {}
    if facts.declared is not None:
        quotes[f"no medium is labelled {facts.declared}"] = lambda one: _is_same_type(one.media.media_type, facts.declared)
    if facts.detected is not None:
        quotes[f"no medium is of the type {facts.detected}"] = lambda one: _is_same_type(_type(scene, one), facts.detected)
    if facts.mebibytes is not None:
        quotes[f"no picture has {facts.mebibytes} MB of base64"] = lambda one: _mebibytes(scene, one) == facts.mebibytes
    if facts.text:
        beginning = facts.text
        quotes["no picture begins with what is quoted"] = lambda one: "".join(one.text.split()).startswith(beginning)
    return quotes


def _is_same_type(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one.lower() == other.lower()


def _type(scene: Scene, exhibit: Exhibit) -> str | None:
    seen = scene.case.facts(exhibit)
    return seen.type.mime if seen else None


def _mebibytes(scene: Scene, exhibit: Exhibit) -> float:
    return round(scene.case.base64_length(exhibit) / _MIB, 1)


def _pictures(scene: Scene, broken: Iterable[Suspect], fits: Callable[[Exhibit], bool]) -> tuple[Suspect, ...]:
    """Choose live pictures, one place for each."""
    known = {spot: suspect for suspect in broken for spot in suspect.places}
    found = [known.get(one.spot) or scene.exhibit(one) for one in scene.case.gallery.live if fits(one)]
    return tuple({_name(scene, suspect): suspect for suspect in reversed(found)}.values())[::-1]


def _name(scene: Scene, suspect: Suspect) -> object:
    seen = scene.case.facts(suspect.exhibit) if suspect.exhibit else None
    return seen.sha256 if seen else suspect.spot


def _in_answers(scene: Scene, fault: MediaFault) -> Iterator[Finding]:
    """Find what breaks a rule in answers of the model: no fault of the shelf judges it there, but some clients send it elsewhere."""
    case = scene.case
    for one in case.gallery.live:
        if one.role == "assistant" and fault.breaks(case, one):
            cause, image = fault.charge(case, one).cause, case.image(one)
            yield Finding(fault.id, Severity.HARMLESS, one.state, one.spot, cause, obstacle=_IN_ANSWER, image=image)


def _of_no_fault(scene: Scene) -> Iterator[Exhibit]:
    """Pictures that break a rule which no fault of the shelf is about."""
    facts, live = scene.refusal.facts, scene.case.gallery.live
    if facts.most_patches is not None:
        yield from (one for one in live if _patches(scene, one) > facts.most_patches)
    if facts.is_of_failure:
        failed = {(part.origin.line, part.origin.pointer) for result in _failures(scene) for part in result.content}
        yield from (one for one in live if (one.line, one.block) in failed)


def _failures(scene: Scene) -> Iterator[ToolResult]:
    for message in scene.case.conversation.messages:
        yield from (block for block in message.content if isinstance(block, ToolResult) and block.is_error)


def _patches(scene: Scene, exhibit: Exhibit) -> int:
    """Count the patches of an image as it is."""
    seen = scene.case.look(exhibit)
    if not isinstance(seen, Seen) or seen.size is None:
        return 0
    return -(-seen.size.width // _PATCH) * -(-seen.size.height // _PATCH)


def _by_ids(scene: Scene, ids: Sequence[str], broken: Iterable[Suspect]) -> tuple[Suspect, ...]:
    if not ids:
        return ()
    blocks = [block for message in scene.case.conversation.messages for block in message.content if _has_id(block, ids)]
    named = [scene.at_origin(block.origin) for block in blocks]
    faulty = [one for one in broken if one.is_live and any(_is_same(one.spot, other.spot) for other in named)]
    return tuple(faulty or named[:1])


def _is_same(one: Spot, other: Spot) -> bool:
    return one.line == other.line and is_related(tuple(one.pointer.split("/")), tuple(other.pointer.split("/")))


def _has_id(block: Block, ids: Sequence[str]) -> bool:
    match block:
        case ToolCall(id=own) | ToolResult(call_id=own):
            return bool({own, *own.split("|")}.intersection(ids))
        case Thinking() | Media():
            return block.carried.get("id") in ids
        case _:
            return False
