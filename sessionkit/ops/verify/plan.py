"""Verify many sessions: gather what they say, examine each asset once, and join the two."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.stores.addresses import Bucket, whole
from sessionkit.core.stores.base import HEAD_SIZE
from sessionkit.core.stores.opening import open_store
from sessionkit.errors import Place, SessionkitError, StoppedError
from sessionkit.ops.batch import Batch, Sized
from sessionkit.ops.dispatch import run
from sessionkit.ops.failed import Failed
from sessionkit.ops.findings import Finding, FindingKind, Findings
from sessionkit.ops.sessions import STANDARD_INPUT
from sessionkit.ops.verify.exam import Exam, Fault, Verdict, examine
from sessionkit.ops.verify.gathered import Gathered
from sessionkit.ops.verify.options import Options, Reading, StoreVerified, Verified
from sessionkit.ops.verify.parts import gather_all
from sessionkit.ops.verify.sweep import given_up, sweep, sweeps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.core.assets import AssetName
    from sessionkit.core.stores.addresses import Address
    from sessionkit.core.stores.base import AssetStore
    from sessionkit.ops.sources import Source
    from sessionkit.ops.verify.gathered import Claim
    from sessionkit.ops.verify.parts import Outcome

_CHUNK_BYTES = range(4 << 20, 64 << 20)
_CHUNK_ASSETS = 256
_CHUNKS_PER_JOB = 4
_SOME_BYTES = 1 << 20
"""Of an asset whose size is not known."""

Verdicts: TypeAlias = dict[tuple["Address", "AssetName"], Verdict | SessionkitError]


def verify(sources: Sequence[Source], options: Options, batch: Batch) -> Iterator[Verified | Failed | StoreVerified]:
    """Verify sessions, in the order of the sources; then the stores of folders that were searched whole, unless a store was named.

    Memory grows with the number of different assets and with the number of references, of which some ten thousand a session
    keep their places; never with the size of sessions or assets.
    """
    outcomes = gather_all(sources, batch)
    verdicts = _examine(outcomes, options, batch)
    for source, outcome in outcomes:
        yield _join(source, outcome, options, verdicts)
    if options.store is None:
        yield from _sweep(outcomes, batch)


def _examine(outcomes: list[Outcome], options: Options, batch: Batch) -> Verdicts:
    """Examine each asset of each store once, largest first."""
    assets: dict[Address, set[AssetName]] = {}
    for source, outcome in outcomes:
        if isinstance(outcome, Gathered):
            assets.setdefault(whole(source.store(options.store)), set()).update(claim.asset for claim in outcome.claims)
    exams = [exam for store, names in assets.items() for exam in _exams(store, _weights(store, names, options, batch), options, batch)]
    verdicts: Verdicts = {}
    for sized, result in zip(exams, run(examine, exams, batch), strict=True):
        exam = sized.task
        each: list[Verdict] | list[SessionkitError] = [result] * len(exam.assets) if isinstance(result, SessionkitError) else result
        verdicts.update(zip(((exam.store, asset) for asset in exam.assets), each, strict=True))
    return verdicts


def _exams(store: Address, weights: dict[AssetName, int], options: Options, batch: Batch) -> Iterator[Sized[Exam]]:
    """Part the assets into ever smaller chunks: few messages at first, and at the end nobody waits long for the others."""
    chunk: list[AssetName] = []
    weight, left = 0, sum(weights.values())
    for name in sorted(weights, key=lambda name: (-weights[name], name.digest)):
        chunk.append(name)
        weight += weights[name]
        if weight >= _chunk_bytes(left, batch) or len(chunk) == _CHUNK_ASSETS:
            yield Sized(Exam(store, tuple(chunk), options.reading, options.decoding), weight)
            chunk, weight, left = [], 0, left - weight
    if chunk:
        yield Sized(Exam(store, tuple(chunk), options.reading, options.decoding), weight)


def _chunk_bytes(left: int, batch: Batch) -> int:
    return max(_CHUNK_BYTES.start, min(_CHUNK_BYTES.stop, left // (_CHUNKS_PER_JOB * batch.width)))


def _weights(store: Address, names: set[AssetName], options: Options, batch: Batch) -> dict[AssetName, int]:
    """Bytes that will be read of each; 0 where one process reads them all, so that nobody has to know."""
    if isinstance(store, Bucket):  # each would cost a request, and processes that are started later could make none
        return dict.fromkeys(names, _SOME_BYTES)
    if batch.width == 1:
        return dict.fromkeys(names, 0)
    with open_store(store) as opened:
        return {name: _weight(opened, name, options) for name in names}


def _weight(store: AssetStore, name: AssetName, options: Options) -> int:
    """Bytes that will be read; 0 for what cannot be looked at, which the exam will explain."""
    try:
        size = store.stat(name).size
    except SessionkitError:
        return 0
    return size if options.reading is Reading.ALL else min(size, HEAD_SIZE)


def _join(source: Source, outcome: Gathered | SessionkitError, options: Options, verdicts: Verdicts) -> Verified | Failed:
    if isinstance(outcome, SessionkitError):
        return Failed(source, outcome)
    store = source.store(options.store)
    examined = whole(store)
    checked: dict[AssetName, int] = {}
    errors: list[SessionkitError] = []
    faults: dict[Claim, list[Fault]] = {}
    for claim in outcome.claims:
        verdict = verdicts[examined, claim.asset]
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


def _sweep(outcomes: list[Outcome], batch: Batch) -> Iterator[StoreVerified]:
    tasks = [Sized(task, 0) for task in sweeps(outcomes)]  # most have nothing left to search for, so no process is worth its start
    for sized, result in zip(tasks, run(sweep, tasks, batch), strict=True):
        yield given_up(sized.task, result) if isinstance(result, SessionkitError) else result
