"""Whether a picture breaks any rule at all, in short: for what waits until all of them are in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.pictures import Trouble
from sessionkit.faults.labels import label_of, names_of
from sessionkit.faults.remedies import is_sound
from sessionkit.faults.spellings import Spelling, spelling_of

if TYPE_CHECKING:
    from sessionkit.core.pictures import Facts
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit


def refusal_of(case: Case, exhibit: Exhibit) -> str:
    """Say why an image or document is refused; empty if it is in order."""
    if exhibit.role == "assistant":
        return "it stands in what the model said"
    if exhibit.flaw:
        return exhibit.flaw
    if spelling_of(case, exhibit) is not Spelling.SOUND:
        return "it is not spelled as base64 should be"
    match case.look(exhibit):
        case Trouble(reason):
            return reason
        case facts:
            return _of_bytes(case, exhibit, facts) or _of_measures(case, exhibit, facts)


def _of_bytes(case: Case, exhibit: Exhibit, facts: Facts) -> str:
    label = label_of(exhibit)
    if not is_sound(case, exhibit):
        return f"its type {facts.type.mime} is not accepted"
    return f"it is labelled {label}, and is {facts.type.mime}" if label is not None and label not in names_of(facts.type) else ""


def _of_measures(case: Case, exhibit: Exhibit, facts: Facts) -> str:
    length, side = case.profile.length, case.profile.side_among(case.image_count)
    if length is not None and case.base64_length(exhibit) > length:
        return f"it has more than {length} characters of base64"
    is_large = side is not None and facts.size is not None and max(facts.size.width, facts.size.height) > side
    return f"a side of it has more than {side} pixels" if is_large else ""
