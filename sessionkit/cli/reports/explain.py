"""What `explain` tells: the list of faults, or the page of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.cli.voice import Style
from sessionkit.faults.base import Consent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.cli.voice import Voice
    from sessionkit.faults import Fault

_NONE: Final = "only reported: there is no cure that would not make something up"
_HEADINGS: Final = {
    "cured by `sessionkit repair`": Consent.DEFAULT,
    "cured when something else is": Consent.ALONG,
    "cured when it is asked for": Consent.ASKED,
    _NONE: None,
}
_PAGE_HEADINGS: Final = frozenset({"Rule", "What you see", "Cure", "What it loses"})


def list_faults(voice: Voice, faults: Iterable[Fault]) -> None:
    """Write the ids and titles of all faults, by what a repair does of its own accord."""
    shelf = tuple(faults)
    for heading, consent in _HEADINGS.items():
        voice.line(f"{heading}:", Style.HEADING)
        for fault in shelf:
            if _consent(fault) is consent:
                voice.line(f"  {fault.id:<22} {fault.title}")
    voice.line("next: `sessionkit explain FAULT` tells more of one")


def _consent(fault: Fault) -> Consent | None:
    """Whether its cure is done unasked; None where its page says that there is none."""
    return None if cure_of(fault).startswith("None") else fault.consent


def cure_of(fault: Fault) -> str:
    """The paragraph of its page on the cure, as one line."""
    return " ".join(fault.page.partition("\nCure\n")[2].partition("\n\n")[0].split())


def show_page(voice: Voice, fault: Fault) -> None:
    """Write the page of a fault."""
    first, *others = fault.page.split("\n")
    voice.line(first, Style.HEADING)
    for line in others:
        voice.line(line, Style.HEADING if line in _PAGE_HEADINGS else Style.PLAIN)
