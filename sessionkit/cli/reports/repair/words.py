"""Sentences about repairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.printable import printable, shorten, without_base64
from sessionkit.cli.reports.findings import cure_words, severity_words, spot_words
from sessionkit.cli.sizes import count, size
from sessionkit.faults.base import Spot
from sessionkit.ops.outputs import Outcome
from sessionkit.ops.repair import Alike, Picture

if TYPE_CHECKING:
    from sessionkit.ops.repair import Left, Prognosis, Repaired, Request, Step, Treated, Words

_DIGITS = 12
_LONGEST = 120
"""Cells of a text that is shown of a place."""


def heading(result: Repaired, is_dry: bool) -> str:
    """What becomes of a session, in a line."""
    prognosis = result.prognosis
    rules = "" if prognosis.profile == prognosis.format else f", by the rules of {prognosis.profile}"
    return f"{result.transfer.source.path}: {_verdict(prognosis, is_dry)} ({prognosis.format}{rules})"


def _verdict(prognosis: Prognosis, is_dry: bool) -> str:
    harm = sum(left.finding.counts for left in prognosis.left)
    cured = f"{count(len(prognosis.treated), 'finding')} {'would be' if is_dry else 'were' if len(prognosis.treated) > 1 else 'was'} cured"
    said = [cured] if prognosis.treated else []
    said += [f"{harm:,} left"] if harm else []
    return ", ".join(said) or "nothing to cure"


def finding_heading(treated: Treated | Left) -> str:
    """Which fault, how bad, and where."""
    finding = treated.finding
    return f"{severity_words(finding)}: {finding.fault}, {spot_words(finding.spot)}"


def cure_line(treated: Treated) -> str:
    """What is done, and what it takes."""
    return f"{treated.finding.cure}; {'nothing is lost' if treated.finding.is_lossless else 'the original is kept as a file'}"


def why_left(left: Left) -> str:
    """Why a finding stays, or what it waits for."""
    return f"not cured: {without_base64(left.why)}" if left.finding.cure and left.why else cure_words(left.finding)


def step_heading(step: Step) -> str:
    """Where something changes."""
    return f"@ {spot_words(Spot(step.line, step.pointer))}"


def sight(seen: Picture | Words) -> str:
    """What stood there or stands there now; of base64 what it holds."""
    if isinstance(seen, Picture):
        pixels = f" {seen.size.width}x{seen.size.height}" if seen.size else ""
        return f"{seen.media_type}{pixels}, {size(seen.bytes)} sha256:{seen.sha256[:_DIGITS]}…"
    return shorten(printable(without_base64(seen.text)), _LONGEST)


def request_words(request: Request) -> str:
    """How the next request changes, and what that means for a prompt cache."""
    if request.alike is Alike.SAME:
        return f"the next request stays the same, to the byte ({size(request.bytes_after)})"
    before, after = size(request.bytes_before), size(request.bytes_after)
    sizes = "" if before == after else f" ({before} before, {after} after)"
    line = f" (line {request.line})" if request.line else ""
    where = f"from {request.way}{line} on" if request.way else "from its beginning"
    held = "up to there" if request.way else "nothing of it"
    again = f", and about {count(request.again, 'token')} are billed again" if request.again else ""
    return f"the next request is another one {where}{sizes}: a prompt cache holds {held}{again}"


def names_words(number: int) -> str:
    """What becomes of the other names of a file that is replaced."""
    return f"{count(number, 'other name')} of this file {'keeps' if number == 1 else 'keep'} the old content"


def written_words(result: Repaired, is_dry: bool) -> str:
    """Where the session went, or what stands against it; empty where there is nothing to say."""
    target, busy = result.transfer.target, result.prognosis.busy
    if is_dry:
        return f"not now: {busy}" if busy else ""
    if result.backup:
        return f"as it was: {result.backup.name}"
    if result.transfer.is_in_place:
        return ""
    return f"{'written' if result.outcome is Outcome.WRITTEN else 'written already'}: {target or 'standard output'}"
