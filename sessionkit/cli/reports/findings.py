"""Findings of faults in words and as records, the same in every command that tells of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.printable import without_base64
from sessionkit.cli.reports.jsonlines import Record, text
from sessionkit.cli.sizes import count
from sessionkit.faults import FAULTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.base import Finding, Image, Spot

_LONGEST = 200
"""Characters of a name that a session chose, such as a media type."""


def finding_record(finding: Finding) -> Record:
    """A finding by the schemas."""
    return {
        "fault": finding.fault,
        "severity": finding.severity.value,
        "live": finding.state.value == "live",
        "line": finding.spot.line,
        "pointer": _safe(finding.spot.pointer),
        "cause": _safe(finding.cause),
        "cure": _safe(finding.cure) or None,
        "obstacle": _safe(finding.obstacle) or None,
        "option": flag_of(finding.option) or None,
        "lossless": finding.is_lossless,
        "image": _image_record(finding.image) if finding.image else None,
        "twins": [{"line": twin.line, "pointer": _safe(twin.pointer)} for twin in finding.twins],
        "wire_path": finding.wire or None,
        "bytes_won": finding.bytes_won,
    }


def _image_record(image: Image) -> Record:
    return {
        "declared": None if image.declared is None else chosen(image.declared),
        "detected": image.detected,
        "bytes": image.bytes,
        "base64_length": image.base64_length,
        "sha256": image.sha256,
        "width": image.size.width if image.size else None,
        "height": image.size.height if image.size else None,
    }


def flag_of(option: str) -> str:
    """What a person types for an option of `repair` that a cure waits for; empty if it waits for none."""
    if any(fault.id == option for fault in FAULTS):
        return f"--only {option}"
    return f"--{option}" if option else ""


def spot_words(spot: Spot) -> str:
    """Where something stands in its session."""
    return f"line {spot.line}" + (f" at {without_base64(spot.pointer)}" if spot.pointer else "")


def image_words(image: Image) -> str:
    """What a picture or document is, by its bytes where there are some."""
    return "; ".join(filter(None, (" ".join(_measures(image)), _label(image))))


def _measures(image: Image) -> Iterator[str]:
    yield image.detected or "no picture"
    if image.size:
        yield f"{image.size.width}x{image.size.height},"
    elif image.bytes is not None:
        yield "of"
    if image.bytes is not None:
        yield count(image.bytes, "byte")
    yield f"({count(image.base64_length, 'character')} of base64)"


def _label(image: Image) -> str:
    is_right = image.declared == image.detected or (image.declared, image.detected) == ("image/jpg", "image/jpeg")
    if is_right or image.declared is None:
        return ""
    return f"labelled {chosen(image.declared)}" if image.declared else "with an empty label"


def chosen(name: str) -> str:
    """A name that a session chose, fit to be told: neither long nor base64."""
    told = _safe(name)
    return told if len(told) <= _LONGEST else f"{told[:_LONGEST]}…"


def _safe(words: str) -> str:
    return without_base64(text(words))
