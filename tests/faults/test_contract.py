"""What every fault of the shelf keeps to, on every fixture: found, cured, and nothing else touched."""

from __future__ import annotations

import json
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

import pytest

from sessionkit.errors import UsageError
from sessionkit.faults import FAULTS, fault_of
from sessionkit.faults.base import Consent
from sessionkit.faults.profiles import Weight
from sessionkit.providers.base import Target
from sessionkit.providers.replay import Choices, replay
from tests.faults.make_fixtures import report
from tests.faults.recipe import recipes
from tests.faults.repairing import all_found, found, to_cure
from tests.faults.sending import refused
from tests.faults.workshop import FIXTURES, RECORDED, opened

if TYPE_CHECKING:
    from pathlib import Path

    from sessionkit.faults.base import Finding
    from sessionkit.faults.case import Case

FOLDERS = sorted(path.parent for path in (FIXTURES / "faults").glob("*/*/bad.jsonl"))
GENERATED = {"image-too-large", "request-too-large"}
"""Faults of sessions that are too large to be kept: their own tests make them."""

HARM = {"bricks", "degrades"}


class Left(Enum):
    """Whether something is left of what was wrong."""

    NOTHING = auto()
    SOMETHING = auto()


each_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}/{path.name}")


def expected(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "report.json").read_text())  # type: ignore[no-any-return]


def options_of(folder: Path) -> frozenset[str]:
    return frozenset(expected(folder)["options"])


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
def test_good_sessions_are_silent(path: Path, tmp_path: Path) -> None:
    assert [finding for finding in found(tmp_path, path.read_bytes()) if finding.counts] == []


@each_folder
def test_what_is_wrong_is_found_and_the_cure_leaves_the_rest(folder: Path, tmp_path: Path) -> None:
    """How it is cured on the disk, once and for all, is in `tests/ops/test_repair_fixtures.py`."""
    bad, cured, wanted = (folder / "bad.jsonl").read_bytes(), (folder / "cured.jsonl").read_bytes(), expected(folder)
    findings = found(tmp_path, bad)
    assert report(str(wanted["fault"]), findings, options_of(folder)) == wanted
    assert wanted["fault"] in {finding.fault for finding in findings}
    require_rest(bad, cured, {line for finding in findings for line in lines_of(finding)})
    if folder.parent.name == "codex":
        assert list(map(len, bad.splitlines(keepends=True))) == list(map(len, cured.splitlines(keepends=True)))
    with opened(tmp_path, cured) as case:
        after = all_found(case)
        assert to_cure(case, after) == []
        is_left = any(finding.counts or finding.fault == wanted["fault"] for _, finding in after)
        require_sendable(case, Left.SOMETHING if is_left else Left.NOTHING)
        if any(row["state"] == "live" and row["severity"] in HARM for row in wanted["findings"]):
            assert refused(case) == [], "a strict vendor takes it as its agent sends it"


def require_rest(bad: bytes, cured: bytes, reported: set[int]) -> None:
    """Lines that are not in the report stay, in their order."""
    rest = iter(cured.splitlines(keepends=True))
    assert all(line in rest for at, line in enumerate(bad.splitlines(keepends=True), 1) if at not in reported)


def require_sendable(case: Case, left: Left) -> None:
    """Our own rules have nothing to say, save for what needs a person or what its agent heals, and where nobody knows who would refuse."""
    provider = case.wire.provider
    faults = replay(case.conversation, provider, Target(provider.vendor, provider.api), Choices(), case.pictures).faults
    assert faults == () or left is Left.SOMETHING or case.profile.weight is Weight.WARNED


def lines_of(finding: Finding) -> set[int]:
    return {finding.spot.line, *(twin.line for twin in finding.twins)}
