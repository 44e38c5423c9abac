"""What holds for every session: restoring gives the same bytes back, and migrating again changes nothing."""

from __future__ import annotations

import hashlib
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessionkit.core.base64 import NotCanonicalError, decode_lenient, encode
from sessionkit.core.media.finder import find_sites, look_at, split_data_url
from sessionkit.core.media.intake import BY_CHOICE
from sessionkit.core.media.policy import Choice, Policy, Spelling
from sessionkit.core.media.tree import decode
from sessionkit.core.media.triage import Candidate, media_candidates
from sessionkit.core.sniff import sniff
from tests.laws.lines import LARGE, lines, quoted, sessions
from tests.laws.pipeline import EVERYTHING, reading_by, restore_bytes, runs_in, spill_bytes

if TYPE_CHECKING:
    from sessionkit.core.media.finder import Look, Site
    from sessionkit.core.media.references import Reference

POLICIES = [Policy(*fields) for fields in product(Choice, (0, 100, 5000), Spelling)]
read_sizes = st.sampled_from([1, 2, 7, 64, 1000, 1 << 20])
patient = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None)


@patient
@given(sessions, read_sizes)
def test_restoring_gives_back_every_byte(session: bytes, size: int) -> None:
    with reading_by(size):
        spilled = spill_bytes(session)
        if not runs_in(session):
            assert restore_bytes(spilled.text, spilled.assets) == session


@patient
@given(sessions, st.sampled_from(POLICIES), read_sizes)
def test_migrating_again_changes_nothing(session: bytes, policy: Policy, size: int) -> None:
    with reading_by(size):
        once = spill_bytes(session, policy)
    twice = spill_bytes(once.text, policy)
    assert twice.text == once.text
    assert not twice.assets


@patient
@given(sessions, st.sampled_from([policy for policy in POLICIES if policy.spelling is Spelling.EXACT]))
def test_restoring_gives_back_every_byte_whatever_was_chosen(session: bytes, policy: Policy) -> None:
    spilled = spill_bytes(session, policy)
    if not runs_in(session):
        assert restore_bytes(spilled.text, spilled.assets) == session


@patient
@given(lines)
def test_any_spelling_comes_back_with_the_same_media(line: bytes) -> None:
    spilled = spill_bytes(line, Policy(spelling=Spelling.ANY))
    if not runs_in(line):
        assert media_in(restore_bytes(spilled.text, spilled.assets)) == media_in(line)


@patient
@given(sessions)
def test_assets_are_named_by_their_content(session: bytes) -> None:
    for name, data in spill_bytes(session).assets.items():
        assert (name.digest, name.ext) == (hashlib.sha256(data).hexdigest(), sniff(data).ext)


@patient
@given(sessions)
def test_every_site_is_spilled_or_has_a_cause(session: bytes) -> None:
    spilled = spill_bytes(session)
    causes = [note for note in spilled.ledger.notes if note.pointer]
    assert spilled.ledger.sites + len(causes) == len(sites_in(session))
    assert not BY_CHOICE & {note.cause for note in causes}


@patient
@given(sessions)
def test_no_line_that_holds_a_site_is_dismissed(session: bytes) -> None:
    data = bytearray(session)
    candidates = {candidate.start for candidate in media_candidates(data, len(data))}
    assert {look.skeleton.base for look in looks(data) if find_sites(look)} <= candidates


@patient
@given(sessions)
def test_shortened_lines_show_the_same_sites_as_whole_ones(session: bytes) -> None:
    data = bytearray(session)
    shortened = [site for candidate in media_candidates(data, len(data)) for site in find_sites(look_at(data, candidate))]
    assert [(site.key, site.value, site.pointer()) for site in shortened] == sites_in(session)


@patient
@given(lines, lines)
def test_references_are_read_whatever_stands_before_them(line: bytes, before: bytes) -> None:
    alone = [shown(run) for run in runs_in(line)]
    behind = [shown(run) for run in runs_in(before + b"\n" + line)]
    assert behind[len(behind) - len(alone) :] == alone


LONG_NAME = b'{"%b":"data:image/png;base64,iVBORw0KGgo="}'
BETWEEN = b'{"type":"image","data":"R0lGODlh"}"x"["a",%b,[1]]5"y"'


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(LONG_NAME % (b"A" * 1500), id="a name as long as base64"),
        pytest.param(BETWEEN % (b"1" * 3000), id="a number as long as base64 between two strings"),
        pytest.param(b'{"type":"image","data":"R0lGODlh","x":"%b\t%b"}' % (b"A" * 1500, b"A" * 1500), id="a tab in a long string"),
        pytest.param(b'{"type":"image","data":"R0lGODlh","assetPath":"x"}', id="the other spelling of a reference's name"),
        pytest.param(b'{"a":{"type":"image","data":"R0lGODlh"},"":' * 1000 + b"0" + b"}" * 1000, id="1000 levels"),
    ],
)
@pytest.mark.parametrize("shift", range(0, 1000, 111))
def test_sharp_corners(line: bytes, shift: int) -> None:
    session = b" " * shift + b"\n" + line
    spilled = spill_bytes(session)
    assert spilled.ledger.sites
    assert restore_bytes(spilled.text, spilled.assets) == session
    assert spill_bytes(spilled.text).text == spilled.text


@given(st.integers(0, 2100), st.integers(0, len(LARGE) - 1), st.sampled_from([b"", b" ", b'"', rb"\"", b"\n"]))
def test_long_media_is_seen_wherever_it_stands(shift: int, number: int, gap: bytes) -> None:
    session = b"-" * shift + gap + b'\n{"anything":%b}\n' % quoted(encode(LARGE[number]))
    assert spill_bytes(session, EVERYTHING).ledger.sites == 1


def looks(data: bytearray) -> list[Look]:
    """Every line, unshortened, whether or not it is a candidate."""
    found, start = [], 0
    while start < len(data):
        stop = data.find(b"\n", start) + 1 or len(data)
        found.append(look_at(data, Candidate(start, stop, ())))
        start = stop
    return found


def sites_in(text: bytes) -> list[tuple[object, object, str]]:
    return [(site.key, site.value, site.pointer()) for look in looks(bytearray(text)) for site in find_sites(look)]


def media_in(text: bytes) -> list[tuple[str, str, bytes]]:
    """Pointer, prefix and decoded bytes of each site; a site that no spelling explains counts as it stands."""
    return [(site.pointer(), *content_of(look, site)) for look in looks(bytearray(text)) for site in find_sites(look)]


def content_of(look: Look, site: Site) -> tuple[str, bytes]:
    prefix, payload = split_data_url(decode(bytes(look.data[site.value.start : site.value.stop])))
    text = payload.encode("utf-8", "surrogatepass")
    try:
        return prefix, decode_lenient(text)
    except NotCanonicalError:
        return prefix, text


def shown(run: Reference) -> tuple[object, ...]:
    return run.kind, run.asset, run.field, run.prefix, run.scope.pointer()
