"""What an image is said to be, and whether a vendor takes that word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.core.sniff import HEIC

if TYPE_CHECKING:
    from sessionkit.core.sniff import MediaType
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit

_OTHER_NAMES: Final = {HEIC: frozenset({"image/heif"})}


def label_of(exhibit: Exhibit) -> str | None:
    """What it is declared as, to the letter; empty for a data URL that names no type, None where nothing declares anything."""
    declared = exhibit.media.media_type
    return "" if declared is None and exhibit.prefix else declared


def names_of(type_: MediaType) -> frozenset[str]:
    """Labels that are right for a type."""
    return _OTHER_NAMES.get(type_, frozenset()) | {type_.mime}


def is_accepted_label(case: Case, exhibit: Exhibit) -> bool:
    """Whether what it is declared as, if anything, is a type that the vendor takes."""
    label = label_of(exhibit)
    return label is None or any(label in names_of(type_) for type_ in case.profile.types)
