"""Marks of Claude Code that hide healthy images."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from sessionkit.faults.base import Choices, Severity, State
from sessionkit.faults.heal_marker import HealMarker
from tests.faults.recipes.chains import healed, marked, mislabelled
from tests.faults.repairing import repaired
from tests.faults.single import cured, findings, refusals
from tests.faults.structure_bases import line
from tests.faults.surgery import changed, value
from tests.faults.workshop import Session
from tests.pictures import picture

if TYPE_CHECKING:
    from pathlib import Path

MARKS = [14, 16, 18]


def test_marks_go_when_all_images_before_them_are_in_order(tmp_path: Path) -> None:
    after = cured(HealMarker(), tmp_path, healed())
    assert changed(healed(), after) == set(MARKS)
    assert list(map(len, after.lines)) == list(map(len, healed().lines))
    assert [value(after, at, "/healsDistinctCarrier") for at in MARKS] == [None] * 3
    assert findings(HealMarker(), tmp_path, after) == []


def test_they_stay_while_an_image_is_refused(tmp_path: Path) -> None:
    reason = "the image on line 3 is still refused: it is labelled image/png, and is image/jpeg"
    bad = marked(mislabelled(), 3)
    assert refusals(HealMarker(), tmp_path, bad) == [reason] * 3
    assert refusals(HealMarker(), tmp_path, bad, Choices(frozenset({"unhide"}))) == []


def test_a_run_that_cures_the_images_takes_the_marks_away_too(tmp_path: Path) -> None:
    after = repaired(tmp_path, marked(mislabelled(), 3).content).content
    assert after == cured(HealMarker(), tmp_path, healed()).content


def test_an_image_behind_a_mark_does_not_matter(tmp_path: Path) -> None:
    bad = marked(Session.recorded("claude-code/session"), 1)
    prompt = json.loads(bad.lines[2]) | {"parentUuid": json.loads(bad.lines[-1])["uuid"], "uuid": "5d0f6f0e-7a35-4a53-9b0b-6a6fd7a1c004"}
    bad = replace(bad, lines=(*bad.lines, line(prompt))).with_value(15, "/message/content/1/source/media_type", "image/gif")
    assert refusals(HealMarker(), tmp_path, bad) == []


def test_before_a_compaction_a_mark_has_no_effect(tmp_path: Path) -> None:
    compacted = Session.recorded("claude-code/compacted")
    bad = marked(Session(compacted.lines[:24]), 1)
    boundary = next(at for at, raw in enumerate(compacted.lines) if b"compact_boundary" in raw)
    found = findings(HealMarker(), tmp_path, replace(bad, lines=(*bad.lines, *compacted.lines[boundary:])))
    assert [(finding.state, finding.option) for finding in found] == [(State.ASLEEP, "all")]


def test_lengths_and_pixels_count_among_the_rules(tmp_path: Path) -> None:
    session = Session.recorded("claude-code/session").with_image(0, picture("PNG", size=(8001, 4)))
    assert refusals(HealMarker(), tmp_path, marked(session, 1)) == [
        "the image on line 3 is still refused: a side of it has more than 8000 pixels"
    ]


def test_an_unknown_mark_is_told_by_its_words(tmp_path: Path) -> None:
    bad = marked(Session.recorded("claude-code/session"), 1).without(14, "/healsDistinctCarrier")
    assert [(finding.severity, finding.cure) for finding in findings(HealMarker(), tmp_path, bad)] == [(Severity.HARMLESS, "")]
