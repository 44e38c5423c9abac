"""What every fault of the shelf keeps to, on every fixture: found, cured, and nothing else touched."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sessionkit.errors import UsageError
from sessionkit.faults import FAULTS, fault_of
from sessionkit.faults.base import Consent
from sessionkit.faults.profiles import Weight
from sessionkit.providers.base import Target
from sessionkit.providers.replay import Choices, replay
from tests.faults.make_fixtures import report
from tests.faults.recipe import recipes
from tests.faults.repairing import found, left_to_cure, repaired
from tests.faults.workshop import FIXTURES, RECORDED, opened

if TYPE_CHECKING:
    from sessionkit.faults.base import Finding

FOLDERS = sorted(path.parent for path in (FIXTURES / "faults").glob("*/*/bad.jsonl"))
GENERATED = {"image-too-large", "request-too-large"}
"""Faults of sessions that are too large to be kept: their own tests make them."""

each_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}/{path.name}")


def expected(folder: Path) -> dict[str, object]:
    return json.loads((folder / "report.json").read_text())  # type: ignore[no-any-return]


def options_of(folder: Path) -> frozenset[str]:
    options = expected(folder)["options"]
    assert isinstance(options, list)
    return frozenset(options)


def test_every_recipe_has_its_folder() -> None:
    assert sorted(recipe.folder for recipe in recipes()) == FOLDERS


def test_every_fault_that_is_cured_unasked_has_a_fixture() -> None:
    shown = {expected(folder)["fault"] for folder in FOLDERS} | GENERATED
    assert [fault.id for fault in FAULTS if fault.consent is Consent.DEFAULT and fault.id not in shown] == []


def test_the_shelf_is_in_the_order_of_its_stages() -> None:
    assert [fault.stage for fault in FAULTS] == sorted(fault.stage for fault in FAULTS)
    assert len({fault.id for fault in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.id)
def test_a_fault_is_found_by_its_id_and_explains_itself(fault: object) -> None:
    assert hasattr(fault, "id")
    one = fault_of(fault.id)
    assert one is fault
    assert one.title == (type(one).__doc__ or "").partition("\n")[0].rstrip(".")
    assert all(len(line) <= 80 for line in one.page.splitlines())


def test_an_unknown_fault() -> None:
    with pytest.raises(UsageError, match="unknown fault: rust"):
        fault_of("rust")


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_good_sessions_are_silent_and_stay_as_they_are(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    assert [finding for finding in found(tmp_path, content) if finding.counts] == []
    assert repaired(tmp_path, content).content == content


@each_folder
def test_what_is_wrong_is_found(folder: Path, tmp_path: Path) -> None:
    wanted = expected(folder)
    findings = found(tmp_path, (folder / "bad.jsonl").read_bytes())
    assert report(str(wanted["fault"]), findings, options_of(folder)) == wanted
    assert wanted["fault"] in {finding.fault for finding in findings}


@each_folder
def test_it_is_cured_and_nothing_is_lost(folder: Path, tmp_path: Path) -> None:
    cured = repaired(tmp_path, (folder / "bad.jsonl").read_bytes(), options_of(folder))
    assert cured.content == (folder / "cured.jsonl").read_bytes()
    assert cured.kept == {f"images/{path.name}": path.read_bytes() for path in (folder / "images").glob("*")}
    for name, data in cured.kept.items():
        assert Path(name).stem == hashlib.sha256(data).hexdigest()


@each_folder
def test_a_second_cure_finds_nothing(folder: Path, tmp_path: Path) -> None:
    cured = (folder / "cured.jsonl").read_bytes()
    assert left_to_cure(tmp_path, cured) == []
    assert repaired(tmp_path, cured, options_of(folder)).content == cured


@each_folder
def test_lines_that_are_not_in_the_report_stay(folder: Path, tmp_path: Path) -> None:
    bad = (folder / "bad.jsonl").read_bytes()
    reported = {line for finding in found(tmp_path, bad) for line in lines_of(finding)}
    others = [line for at, line in enumerate(bad.splitlines(keepends=True), 1) if at not in reported]
    cured = iter((folder / "cured.jsonl").read_bytes().splitlines(keepends=True))
    assert all(line in cured for line in others), "in their order"


@pytest.mark.parametrize("folder", [folder for folder in FOLDERS if folder.parent.name == "codex"], ids=lambda path: str(path.name))
def test_codex_lines_keep_their_place(folder: Path) -> None:
    bad, cured = ((folder / name).read_bytes().splitlines(keepends=True) for name in ("bad.jsonl", "cured.jsonl"))
    assert [len(line) for line in bad] == [len(line) for line in cured]


@each_folder
def test_what_is_cured_can_be_sent(folder: Path, tmp_path: Path) -> None:
    """Save for what needs a person, what its agent heals by itself, and sessions of which nobody knows who would refuse them."""
    cured = (folder / "cured.jsonl").read_bytes()
    is_left = any(finding.counts or finding.fault == expected(folder)["fault"] for finding in found(tmp_path, cured))
    with opened(tmp_path, cured) as case:
        provider = case.wire.provider
        faults = replay(case.conversation, provider, Target(provider.vendor, provider.api), Choices(), case.pictures).faults
        assert faults == () or is_left or case.profile.weight is Weight.WARNED


def lines_of(finding: Finding) -> set[int]:
    return {finding.spot.line, *(twin.line for twin in finding.twins)}
