"""Verify many sessions: gather what they say, examine each asset once, and join the two."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from sessionkit.core.stores.addresses import Bucket, whole
from sessionkit.core.stores.base import HEAD_SIZE
from sessionkit.core.stores.opening import open_store
from sessionkit.errors import SessionkitError, StoppedError
from sessionkit.ops.batch import Batch, Sized
from sessionkit.ops.dispatch import run
from sessionkit.ops.failed import Failed
from sessionkit.ops.findings import Finding, FindingKind, Findings
from sessionkit.ops.verify.exam import Exam, Fault, Verdict, examine
from sessionkit.ops.verify.gather import Claim, Gathered, Mentions, gather
from sessionkit.ops.verify.options import Options, Reading, StoreVerified, Verified
from sessionkit.ops.verify.sweep import given_up, sweep, sweeps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionkit.core.assets import AssetName
    from sessionkit.core.stores.addresses import Address
    from sessionkit.core.stores.base import AssetStore
    from sessionkit.errors import Place
    from sessionkit.ops.sources import Source

_CHUNK_BYTES = 8 << 20
_CHUNK_ASSETS = 256
_SOME_BYTES = 1 << 20
"""Of an asset whose size is not known."""

Outcome: TypeAlias = tuple["Source", Gathered | SessionkitError]
Verdicts: TypeAlias = dict[tuple["Address", "AssetName"], Verdict | SessionkitError]


def verify(sources: Sequence[Source], options: Options, batch: Batch) -> Iterator[Verified | Failed | StoreVerified]:
    """Verify sessions, in the order of the sources; then the stores of folders that were searched whole, unless a store was named.

    Memory grows with the number of different assets and with the number of references, of which some ten thousand a session
    keep their places; never with the size of sessions or assets.
    """
    tasks = [Sized(source, source.size()) for source in sources]
    outcomes: list[Outcome] = list(zip(sources, run(gather, tasks, batch), strict=True))
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
    exams = [exam for store, names in assets.items() for exam in _exams(store, names, options)]
    verdicts: Verdicts = {}
    for sized, result in zip(exams, run(examine, exams, batch), strict=True):
        exam = sized.task
        each: list[Verdict] | list[SessionkitError] = [result] * len(exam.assets) if isinstance(result, SessionkitError) else result
        verdicts.update(zip(((exam.store, asset) for asset in exam.assets), each, strict=True))
    return verdicts


def _exams(store: Address, names: set[AssetName], options: Options) -> Iterator[Sized[Exam]]:
    weights = _weights(store, names, options)
    chunk: list[AssetName] = []
    weight = 0
    for name in sorted(names, key=lambda name: (-weights[name], name.digest)):
        chunk.append(name)
        weight += weights[name]
        if weight >= _CHUNK_BYTES or len(chunk) == _CHUNK_ASSETS:
            yield Sized(Exam(store, tuple(chunk), options.reading, options.decoding), weight)
            chunk, weight = [], 0
    if chunk:
        yield Sized(Exam(store, tuple(chunk), options.reading, options.decoding), weight)


def _weights(store: Address, names: set[AssetName], options: Options) -> dict[AssetName, int]:
    if isinstance(store, Bucket):  # each would cost a request, and processes that are started later could make none
        return dict.fromkeys(names, _SOME_BYTES)
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
    findings = outcome.lost
    checked: dict[AssetName, int] = {}
    errors: list[SessionkitError] = []
    for claim, mentions in outcome.claims.items():
        verdict = verdicts[examined, claim.asset]
        if isinstance(verdict, SessionkitError):
            errors.append(verdict)
            continue
        checked[claim.asset] = verdict.hashed
        for fault in _faults(claim, verdict):
            _add(findings, claim, mentions, fault)
    if errors:
        return Failed(source, min(errors, key=lambda error: isinstance(error, StoppedError)))
    findings.trim()
    return Verified(source, store, options.reading, findings, outcome.notes, outcome.references, checked)


def _faults(claim: Claim, verdict: Verdict) -> list[Fault]:
    if claim.size is None or verdict.size is None or claim.size == verdict.size:
        return list(verdict.faults)
    stated, real = (f"{size.width} x {size.height}" for size in (claim.size, verdict.size))
    hint = "trust the file; correct the reference if its agent needs the size"
    return [*verdict.faults, Fault(FindingKind.ASSET_SIZE, f"the picture has {real} pixels, and the reference says {stated}", hint)]


def _add(findings: Findings, claim: Claim, mentions: Mentions, fault: Fault) -> None:
    """Report a fault at every reference to its asset."""
    findings.counts[fault.kind] += mentions.count
    findings.kept += [_finding(claim, place, fault) for place in mentions.places]


def _finding(claim: Claim, place: Place, fault: Fault) -> Finding:
    return Finding(fault.kind, place, fault.cause, fault.hint, claim.asset.reference)


def _sweep(outcomes: list[Outcome], batch: Batch) -> Iterator[StoreVerified]:
    tasks = [Sized(task, 0) for task in sweeps(outcomes)]  # most have nothing left to search for, so no process is worth its start
    for sized, result in zip(tasks, run(sweep, tasks, batch), strict=True):
        yield given_up(sized.task, result) if isinstance(result, SessionkitError) else result
