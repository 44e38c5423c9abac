"""Media that only weigh: how their findings are told, and how they give way to a note."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar, Final

from sessionkit.core.assets import AssetName
from sessionkit.faults.base import Consent, Fault, Finding, Lengths, Severity, Stage, Uncured
from sessionkit.faults.cures import put_note, with_all
from sessionkit.faults.exhibits import Form, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit
    from sessionkit.faults.note import Note


_NO_TEXT: Final = "no text can stand in the place of a picture that the model made"


class Weight(Fault):
    """Media of one kind that cost bytes and nothing else. `kind` is what `--slim` calls them."""

    stage = Stage.SLIMMING
    consent = Consent.ASKED
    kind: ClassVar[str]
    asset_length: ClassVar[int] = len("; kept as ") + len(AssetName("0" * 64, "png").reference)
    """Characters that the name of the asset takes in a note."""

    @abstractmethod
    def weighing(self, case: Case) -> Iterator[Exhibit]:
        """The media, in the order of their lines."""

    @abstractmethod
    def cause(self, case: Case) -> str:
        """Why nothing needs the bytes."""

    @abstractmethod
    def note(self, case: Case, exhibit: Exhibit) -> Note:
        """What takes their place."""

    def find(self, case: Case) -> Iterator[Finding]:
        cause = self.cause(case)
        for exhibit in self.weighing(case):
            alike = _with_twins(case, exhibit)
            won = sum(case.base64_length(one) for one in alike) - self._cost(case, exhibit)
            obstacle = _NO_TEXT if exhibit.form is Form.RESULT else ""
            if exhibit.is_inline and won > 0:
                yield Finding(
                    self.id,
                    Severity.BLOATS,
                    exhibit.state,
                    exhibit.spot,
                    cause,
                    "" if obstacle else "note in its place",
                    obstacle,
                    "" if obstacle else f"slim {self.kind}",
                    is_lossless=False,
                    image=case.image(exhibit),
                    twins=tuple(twin.spot for twin in alike if twin is not exhibit),
                    wire=case.way(exhibit),
                    bytes_won=0 if obstacle else won,
                )

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        if finding.obstacle:
            return Uncured(finding.obstacle)
        if choices.lengths is Lengths.KEPT:
            return Uncured("its lines must keep their length, so nothing would be won: write a copy with -o")
        exhibit = case.exhibit(finding.spot)
        return put_note(case.lines, _with_twins(case, exhibit), self.note(case, exhibit), choices.lengths)

    def _cost(self, case: Case, exhibit: Exhibit) -> int:
        """Characters of what takes the place of an exhibit; a twin that is a bare string becomes empty."""
        is_emptied = exhibit.place is Place.TWIN and exhibit.form is Form.FILE
        return 0 if is_emptied else len(str(self.note(case, exhibit))) + self.asset_length


def _with_twins(case: Case, exhibit: Exhibit) -> tuple[Exhibit, ...]:
    """An exhibit, and the copies of it that only the agent's screen shows."""
    twins = (twin for twin in case.gallery.screens(exhibit) if twin.base64_length())
    return with_all((exhibit, *twins))
