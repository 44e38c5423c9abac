"""Findings of faults in words and as records, the same in every command that tells of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.printable import without_base64
from sessionkit.cli.reports.jsonlines import Record, text
from sessionkit.cli.sizes import count
from sessionkit.faults import FAULTS
from sessionkit.faults.base import Severity, State

if TYPE_CHECKING:
    from sessionkit.faults.base import Finding, Image, Spot

_LONGEST = 200
"""Characters of a name that a session chose, such as a media type."""


def finding_record(finding: Finding) -> Record:
    """A finding by the schemas."""
    return {
        "fault": finding.fault,
        "severity": finding.severity.value,
        "live": finding.state is State.LIVE,
        "line": finding.spot.line,
        "pointer": safe(finding.spot.pointer),
        "cause": safe(finding.cause),
        "cure": safe(finding.cure) or None,
        "obstacle": safe(finding.obstacle) or None,
        "option": flag_of(finding.option) or None,
        "lossless": finding.is_lossless,
        "image": image_record(finding.image) if finding.image else None,
        "twins": [{"line": twin.line, "pointer": safe(twin.pointer)} for twin in finding.twins],
        "wire_path": finding.wire or None,
        "bytes_won": finding.bytes_won,
    }


def image_record(image: Image) -> Record:
    """A picture or document by the schemas."""
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
    return "; ".join(filter(None, (_measures(image), _label(image))))


def _measures(image: Image) -> str:
    if image.bytes is None:
        return f"nothing that decodes, {count(image.base64_length, 'character')}" if image.base64_length else "nothing that decodes"
    pixels = f"{image.size.width}x{image.size.height}," if image.size else "of"
    base64 = f"({count(image.base64_length, 'character')} of base64)"
    return f"{image.detected} {pixels} {count(image.bytes, 'byte')} {base64}"


def _label(image: Image) -> str:
    is_right = image.declared == image.detected or (image.declared, image.detected) == ("image/jpg", "image/jpeg")
    if is_right or image.declared is None:
        return ""
    return f"labelled {chosen(image.declared)}" if image.declared else "with an empty label"


def chosen(name: str) -> str:
    """A name that a session chose, fit to be told: neither long nor base64."""
    told = safe(name)
    return told if len(told) <= _LONGEST else f"{told[:_LONGEST]}…"


def safe(words: str) -> str:
    """Words that may quote a session, as a JSON string that every reader accepts, without base64."""
    return without_base64(text(words))


def severity_words(finding: Finding) -> str:
    """What it does to the session: `bricks`, or `bricks, asleep` where it would if it were sent."""
    return f"{finding.severity}{'' if finding.state is State.LIVE or finding.severity is Severity.BLOATS else ', asleep'}"


def cure_words(finding: Finding) -> str:
    """What a repair would do, and what it takes; or why nothing can be done."""
    if not finding.cure:
        return f"no cure: {safe(finding.obstacle)}"
    option = f", with {flag_of(finding.option)}" if finding.option else ""
    loss = "" if finding.is_lossless else "; the original is kept as a file"
    return f"cure: {safe(finding.cure)}{option}{loss}"
