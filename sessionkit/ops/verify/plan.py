"""Verify many sessions: gather what they say, examine each asset once, and join the two."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.stores.addresses import whole
from sessionkit.errors import Place, SessionkitError, StoppedError
from sessionkit.ops.batch import Sized
from sessionkit.ops.dispatch import Crew, run
from sessionkit.ops.failed import Failed
from sessionkit.ops.findings import Finding, FindingKind, Findings
from sessionkit.ops.sessions import STANDARD_INPUT
from sessionkit.ops.verify.exam import Fault, Verdict, examine
from sessionkit.ops.verify.gathered import Gathered
from sessionkit.ops.verify.options import StoreVerified, Verified
from sessionkit.ops.verify.parts import gather_all
from sessionkit.ops.verify.portions import Portioner
from sessionkit.ops.verify.sweep import given_up, sweep, sweeps, take_stock

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.core.assets import AssetName
    from sessionkit.core.stores.addresses import Address
    from sessionkit.ops.batch import Batch
    from sessionkit.ops.sources import Source
    from sessionkit.ops.verify.gathered import Claim
    from sessionkit.ops.verify.options import Options
    from sessionkit.ops.verify.parts import Outcome
    from sessionkit.ops.verify.sweep import Sweep

Verdicts: TypeAlias = dict["Address", dict["AssetName", Verdict | SessionkitError]]
"""What came of the assets of each store."""


def verify(sources: Sequence[Source], options: Options, batch: Batch) -> Iterator[Verified | Failed | StoreVerified]:
    """Verify sessions, in the order of the sources; then the stores of folders that were searched whole, unless a store was named.

    Memory grows with the number of different assets and with the number of references, of which some ten thousand a session
    keep their places; never with the size of sessions or assets.
    """
    with Crew(batch) as crew:
        gathering = gather_all(sources, crew)
        stocks = take_stock(sources) if batch.width > 1 and options.store is None else {}  # while others gather
        outcomes = list(gathering)
        verdicts = _examine(outcomes, Portioner(options, batch.width, stocks), crew)
    for source, outcome in outcomes:
        yield _join(source, outcome, options, verdicts)
    if options.store is None:
        yield from _sweep(sweeps(outcomes, stocks), batch)


def _examine(outcomes: list[Outcome], portioner: Portioner, crew: Crew) -> Verdicts:
    """Examine each asset of each store once."""
    assets: dict[Address, set[AssetName]] = {}
    for source, outcome in outcomes:
        if isinstance(outcome, Gathered):
            store = whole(source.store(portioner.options.store))
            assets.setdefault(store, set()).update(claim.asset for claim in outcome.claims)
    exams = [exam for store, names in assets.items() for exam in portioner.exams(store, names)]
    verdicts: Verdicts = {store: {} for store in assets}
    for sized, result in zip(exams, crew.run(examine, exams), strict=True):
        exam = sized.task
        each: list[Verdict] | list[SessionkitError] = [result] * len(exam.assets) if isinstance(result, SessionkitError) else result
        verdicts[exam.store].update(zip(exam.assets, each, strict=True))
    return verdicts


def _join(source: Source, outcome: Gathered | SessionkitError, options: Options, verdicts: Verdicts) -> Verified | Failed:
    if isinstance(outcome, SessionkitError):
        return Failed(source, outcome)
    store = source.store(options.store)
    examined = verdicts[whole(store)]
    checked: dict[AssetName, int] = {}
    errors: list[SessionkitError] = []
    faults: dict[Claim, list[Fault]] = {}
    for claim in outcome.claims:
        verdict = examined[claim.asset]
        if isinstance(verdict, SessionkitError):
            errors.append(verdict)
            continue
        checked[claim.asset] = verdict.hashed
        if found := _faults(claim, verdict):
            faults[claim] = found
    if errors:
        return Failed(source, min(errors, key=lambda error: isinstance(error, StoppedError)))
    return Verified(source, store, options.reading, _tell(source, outcome, faults), outcome.notes, outcome.references, checked)


def _faults(claim: Claim, verdict: Verdict) -> list[Fault]:
    if claim.size is None or verdict.size is None or claim.size == verdict.size:
        return list(verdict.faults)
    stated, real = (f"{size.width} x {size.height}" for size in (claim.size, verdict.size))
    hint = "trust the file; correct the reference if its agent needs the size"
    return [*verdict.faults, Fault(FindingKind.ASSET_SIZE, f"the picture has {real} pixels, and the reference says {stated}", hint)]


def _tell(source: Source, outcome: Gathered, faults: dict[Claim, list[Fault]]) -> Findings:
    """Report each fault at every reference to its asset, beside what is lost."""
    findings = outcome.lost
    path = str(STANDARD_INPUT if source.is_stdin else source.path)
    for claim, spots in outcome.spots_of(faults).items():
        for fault in faults[claim]:
            findings.counts[fault.kind] += outcome.claims[claim]
            findings.kept += [_finding(claim, Place(path, line, pointer), fault) for _, line, pointer in spots]
    findings.trim()
    return findings


def _finding(claim: Claim, place: Place, fault: Fault) -> Finding:
    return Finding(fault.kind, place, fault.cause, fault.hint, claim.asset.reference)


def _sweep(planned: list[Sweep], batch: Batch) -> Iterator[StoreVerified]:
    tasks = [Sized(task, 0) for task in planned]  # most have nothing left to search for, so no process is worth its start
    for task, result in zip(planned, run(sweep, tasks, batch), strict=True):
        yield given_up(task, result) if isinstance(result, SessionkitError) else result
