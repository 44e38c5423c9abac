"""What can only be told: there is no cure that would not make something up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.faults.base import Consent, Fault, Stage, Uncured

if TYPE_CHECKING:
    from sessionkit.faults.base import Choices, Cure, Finding
    from sessionkit.faults.case import Case


class ReportedFault(Fault):
    """A fault without a cure; its findings say why."""

    stage = Stage.LABELS
    consent = Consent.ASKED

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        return Uncured(finding.obstacle)
