"""Find what a refusal is about: facts first, then the rule that it names, then the place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.ops.locate.hits import hit_of, hits_of, may_be_meant
from sessionkit.ops.locate.result import Answer, Certainty, Evidence
from sessionkit.ops.locate.sayings import Scope
from sessionkit.ops.locate.suspects import by_fact, by_quote, by_rule, fits, notes_at_ways, nothing_with, of_any_rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sessionkit.faults.base import Spot
    from sessionkit.ops.locate.result import Hit
    from sessionkit.ops.locate.sayings import Saying
    from sessionkit.ops.locate.scene import Scene, Suspect

_OTHERS: Final = "what breaks another rule is listed"
_NOTHING_SAID: Final = "the text names neither a rule nor a place that is known here"
_NOWHERE: Final = "the place is none of this session's: its client put something there itself, or it is another session"
_SOUND: Final = "what stands at the place that is named breaks no rule that is known here"
_NOTED: Final = "what stands at the place that is named is not known to be refused, but `sessionkit check` has a note about it"
_OTHER_PLACE: Final = "the place that is named holds something else: the numbers are those of a request that is not here"
_OTHER_PICTURE: Final = "the place that is named holds another picture, which breaks no such rule: it is not sure which of them is meant"
_OTHERWISE: Final = "nothing that is sent has all that is told of it; what breaks this rule otherwise is listed"
_NOT_HERE: Final = "it was changed since, or it is another session"
_ALL_ALIKE: Final = "several break the rule, and the text does not tell which is meant; the cure is for all of them"
_NOT_ONE: Final = "all of them together are too much, and no single one is to blame"
_NOT_SENT: Final = "nothing that is sent breaks this rule; what is not sent, and does, is listed"
_UNBROKEN: Final = "nothing in this session breaks this rule"
_NO_PLACE: Final = "whether this rule is kept cannot be told from a session, and the text names no place"
_OUTSIDE: Final = "nothing in the session is to blame"
_FULL: Final = "all of it takes too many tokens: `sessionkit estimate` tells what fills the context, `sessionkit compact` makes room"


def answer(scene: Scene) -> Answer:
    """Answer as well as can be; nothing is guessed."""
    saying = scene.refusal.saying
    if saying is None:
        return _without_words(scene)
    if saying.scope in {Scope.OUTSIDE, Scope.CONTEXT}:
        return Answer(Certainty.NONE, remarks=(_OUTSIDE if saying.scope is Scope.OUTSIDE else _FULL,))
    return _by_facts_and_rule(scene, saying)


def _by_facts_and_rule(scene: Scene, saying: Saying) -> Answer:
    """Take what has the facts that are told; without any, or where some of several have them, what breaks the rule."""
    broken = by_rule(scene)
    live = [suspect for suspect in broken if suspect.is_live]
    if exact := by_fact(scene, broken):
        reason = Evidence.ID if scene.refusal.facts.ids else Evidence.NUMBER
        return _chosen(scene, exact, reason, [one for one in live if one not in exact])
    if contradiction := nothing_with(scene):
        return _contradicted(scene, broken, contradiction)
    if fitting := [suspect for suspect in live if fits(scene, suspect)]:
        return _chosen(scene, fitting, Evidence.RULE, live)
    if quoted := by_quote(scene):
        return _chosen(scene, quoted, Evidence.NUMBER, live)
    if saying.faults or scene.refusal.facts.most_patches or scene.refusal.facts.is_of_failure:
        return _unbroken(scene, broken)
    return _untestable(scene)


def _chosen(scene: Scene, suspects: Sequence[Suspect], reason: Evidence, others: Iterable[Suspect]) -> Answer:
    """Choose among those that facts or the rule speak of, by the place if there are several."""
    if scene.refusal.saying and scene.refusal.saying.scope is Scope.SESSION:
        return Answer(Certainty.SEVERAL, hits_of(scene, suspects, reason), remarks=(_NOT_ONE,))
    there = [suspect for suspect in suspects if suspect.stands_at(scene.ways)]
    picked = there or suspects
    evidence = (reason, Evidence.PLACE) if there else (reason,)
    rest = hits_of(scene, [one for one in others if one not in picked], Evidence.RULE)
    pictures = [one for one in scene.at_ways() if one.exhibit] if reason is Evidence.RULE and not there else ()
    if pictures:
        shown = hits_of(scene, pictures, Evidence.PLACE)
        return Answer(Certainty.SEVERAL, hits_of(scene, picked, reason), (*shown, *rest), (_OTHER_PICTURE,))
    remarks = (_OTHER_PLACE,) if scene.ways and not there else ()
    if len(picked) == 1:
        return Answer(Certainty.ONE, hits_of(scene, picked, *evidence), rest, remarks)
    why = remarks if there and len(scene.ways) > 1 else (*remarks, _ALL_ALIKE)
    return Answer(Certainty.SEVERAL, hits_of(scene, picked, *evidence), rest, why)


def _without_words(scene: Scene) -> Answer:
    """Take the place alone: a hit if what stands there breaks any rule."""
    suspects = of_any_rule(scene)
    there = [suspect for suspect in suspects if suspect.stands_at(scene.ways)]
    if there:
        rest = hits_of(scene, [one for one in suspects if one not in there], Evidence.RULE)
        verdict = Certainty.ONE if len(there) == 1 else Certainty.SEVERAL
        return Answer(verdict, hits_of(scene, there, Evidence.RULE, Evidence.PLACE), rest)
    listed = hits_of(scene, suspects, Evidence.RULE)
    remark = _place_remark(scene) if scene.ways else _NOTHING_SAID
    return Answer(Certainty.NONE, others=(*_at_place(scene), *listed), remarks=(remark, *((_OTHERS,) if listed else ())))


def _unbroken(scene: Scene, broken: Sequence[Suspect]) -> Answer:
    """Nothing that is sent breaks the rule as it is told: tell what stands there, what breaks it otherwise, and what breaks others."""
    there, listed = _at_place(scene), _listed(scene, broken)
    is_other = len(listed) > len(broken)
    why = (_OTHERWISE if any(one.is_live for one in broken) else _NOT_SENT) if broken else _UNBROKEN
    remarks = (why, *((_place_remark(scene),) if scene.ways else ()), *((_OTHERS,) if is_other else ()))
    return Answer(Certainty.NONE, others=_each_once((*there, *listed)), remarks=remarks)


def _contradicted(scene: Scene, broken: Sequence[Suspect], contradiction: str) -> Answer:
    """Nothing has what the text tells as a fact: whatever stands at its place, or breaks its rule, is only to be looked at."""
    there = hits_of(scene, scene.at_ways())
    return Answer(Certainty.NONE, others=_each_once((*there, *_listed(scene, broken))), remarks=(f"{contradiction}: {_NOT_HERE}",))


def _listed(scene: Scene, broken: Sequence[Suspect]) -> tuple[Hit, ...]:
    """Describe what breaks the rule, then what breaks another one."""
    spots = {suspect.spot for suspect in broken}
    others = [one for one in of_any_rule(scene) if one.spot not in spots]
    return (*hits_of(scene, broken, Evidence.RULE), *hits_of(scene, others))


def _each_once(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    found: dict[Spot, Hit] = {}
    for hit in hits:
        found.setdefault(hit.spot, hit)
    return tuple(found.values())


def _untestable(scene: Scene) -> Answer:
    """Take the place for it: no rule of a session tells more. What cannot be meant is only listed."""
    everything = scene.at_ways()
    if not everything:
        return Answer(Certainty.NONE, remarks=(_NOWHERE if scene.ways else _NO_PLACE,))
    there = [suspect for suspect in everything if may_be_meant(scene, suspect)]
    if not there:
        return Answer(Certainty.NONE, others=hits_of(scene, everything), remarks=(_OTHER_PLACE,))
    verdict = Certainty.ONE if len(there) == 1 else Certainty.SEVERAL
    return Answer(verdict, hits_of(scene, there, Evidence.PLACE))


def _at_place(scene: Scene) -> tuple[Hit, ...]:
    return tuple(hit_of(scene, suspect, Evidence.PLACE) for suspect in scene.at_ways())


def _place_remark(scene: Scene) -> str:
    if not scene.at_ways():
        return _NOWHERE
    notes = notes_at_ways(scene)
    return f"{_NOTED}: {', '.join(notes)}" if notes else _SOUND
