"""How media are held against a rule, and how what breaks it is told: one finding for each picture, however often it stands there."""

from __future__ import annotations

from abc import abstractmethod
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from sessionkit.core.model import Stored
from sessionkit.dataclass import dataclass, replace
from sessionkit.faults.base import Consent, Fault, Finding, Severity, Uncured
from sessionkit.faults.exhibits import Place
from sessionkit.faults.profiles import Rule, Weight

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from sessionkit.faults.base import Choices, Cure, Spot
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit

NOWHERE_ELSE: Mapping[str, Severity] = MappingProxyType({})

ALL = "all"
"""Option that a cure of what is asleep waits for."""


class Remedy(StrEnum):
    """What a cure does, the smallest first."""

    NONE = ""
    SPELLING = "another spelling"
    LABEL = "another label"
    TWIN = "bytes of its twin"
    STORE = "bytes from the store"
    SOURCE = "its source made whole"
    CONVERSION = "conversion"
    SMALLER = "smaller picture"
    NOTE = "note in its place"


_WITH_BYTES = frozenset({Remedy.TWIN, Remedy.CONVERSION, Remedy.SMALLER})
_SPILLED = "its bytes are in images/ beside the session: restore the session first"
_LOSSLESS = frozenset({Remedy.SPELLING, Remedy.LABEL, Remedy.TWIN, Remedy.STORE, Remedy.SOURCE, Remedy.NONE})


@dataclass(frozen=True, slots=True)
class Charge:
    """Why a medium breaks a rule, and what would help; without a remedy `obstacle` says why nothing does.

    `severity` is given where it is another one than the book's. `is_blank` tells that nothing of a picture is there to be lost.
    """

    cause: str
    remedy: Remedy
    obstacle: str = ""
    severity: Severity | None = None
    is_blank: bool = False


class MediaFault(Fault):
    """A fault of single media.

    `rule` is the one that is broken; a profile that does not mind it makes the fault harmless. `severities` are those of profiles
    that are not bricked. `warned` is the consent that a cure needs where the profile only warns.
    """

    rule: ClassVar[Rule]
    severities: ClassVar[Mapping[str, Severity]] = NOWHERE_ELSE
    warned: ClassVar[Consent] = Consent.DEFAULT

    @abstractmethod
    def breaks(self, case: Case, exhibit: Exhibit) -> bool:
        """Whether a medium has this fault, wherever it stands."""

    @abstractmethod
    def charge(self, case: Case, exhibit: Exhibit) -> Charge:
        """Say of a medium that has this fault what is wrong with it."""

    @abstractmethod
    def mend(self, case: Case, exhibit: Exhibit, choices: Choices) -> Cure:
        """Cure a medium that has this fault, wherever the same picture has it."""

    def find(self, case: Case) -> Iterator[Finding]:
        for exhibit in at_fault(case, partial(self.breaks, case)):
            yield self._told(case, exhibit)

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        return self.mend(case, case.exhibit(finding.spot), choices) if finding.cure else Uncured(finding.obstacle)

    def _told(self, case: Case, exhibit: Exhibit) -> Finding:
        charge = _possible(self.charge(case, exhibit), exhibit)
        severity = weighed(case, charge.severity or self._severity(case))
        return Finding(
            self.id,
            severity,
            exhibit.state,
            exhibit.spot,
            charge.cause,
            charge.remedy,
            charge.obstacle,
            self._option(case, exhibit, severity) if charge.remedy else "",
            charge.remedy in _LOSSLESS or charge.is_blank,
            case.image(exhibit),
            twins=places_of(case, exhibit),
            wire=case.way(exhibit),
        )

    def _severity(self, case: Case) -> Severity:
        return self.severities.get(case.profile.id, Severity.BRICKS) if case.profile.minds(self.rule) else Severity.HARMLESS

    def _option(self, case: Case, exhibit: Exhibit, severity: Severity) -> str:
        if not exhibit.is_live:
            return ALL
        is_asked = severity is Severity.HARMLESS and not (is_warning(case) and self.warned is Consent.DEFAULT)
        return self.id if is_asked else ""


def _possible(charge: Charge, exhibit: Exhibit) -> Charge:
    """Take the remedy away where it needs bytes that are in the store; a note can stand for those as well."""
    is_spilled = isinstance(exhibit.media.source, Stored) and charge.remedy in _WITH_BYTES
    return replace(charge, remedy=Remedy.NONE, obstacle=_SPILLED) if is_spilled else charge


def weighed(case: Case, severity: Severity) -> Severity:
    """Tell how much a fault weighs: what only some vendors refuse is a warning."""
    return Severity.HARMLESS if is_warning(case) else severity


def is_warning(case: Case) -> bool:
    """Whether nobody knows which vendor the session is for."""
    return case.profile.weight is Weight.WARNED


def at_fault(case: Case, breaks: Callable[[Exhibit], bool]) -> Iterator[Exhibit]:
    """Choose one exhibit for each picture that breaks a rule, a live one if there is one, in the order of the lines.

    What only the agent's screen shows breaks nothing, and assistants' lines are nobody's but `assistant-image`'s.
    """
    broken = [exhibit for exhibit in case.exhibits if is_judged(exhibit) and breaks(exhibit)]
    told: set[str] = set()
    chosen: list[Exhibit] = []
    for exhibit in sorted(broken, key=lambda exhibit: not exhibit.is_live):
        names = set(_names(case, exhibit))
        if told.isdisjoint(names):
            chosen.append(exhibit)
        told |= names
    yield from sorted(chosen, key=lambda exhibit: exhibit.line)


def is_judged(exhibit: Exhibit) -> bool:
    """Whether an exhibit may be sent as something that rules are held against."""
    return exhibit.place is not Place.TWIN and exhibit.role != "assistant"


def places_of(case: Case, exhibit: Exhibit) -> tuple[Spot, ...]:
    """Find where the same picture stands again; of one without bytes what its agent wrote as the same."""
    if case.facts(exhibit) is not None:
        return case.twins(exhibit)
    return in_place(twin.spot for twin in case.gallery.twins(exhibit))


def in_place(spots: Iterable[Spot]) -> tuple[Spot, ...]:
    """Sort spots, each once."""
    return tuple(sorted(set(spots), key=lambda spot: (spot.line, spot.pointer)))


def _names(case: Case, exhibit: Exhibit) -> Iterator[str]:
    """Name a picture by its bytes, and by what its agent calls it; by its place where there is nothing else."""
    facts = case.facts(exhibit)
    if facts is not None:
        yield facts.sha256
    if exhibit.owner or facts is None:
        yield case.gallery.family(exhibit).name
