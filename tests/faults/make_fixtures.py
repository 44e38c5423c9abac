"""Make `fixtures/faults` anew: `python -m tests.faults.make_fixtures [FOLDER…]`. Read the diff before you keep it.

Each folder gets `bad.jsonl` from its recipe; and `cured.jsonl`, `images/` and `report.json` from what is found in it and cured.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tests.faults.recipe import recipes
from tests.faults.repairing import found, repaired

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionkit.faults.base import Finding
    from tests.faults.recipe import Recipe


def report(fault: str, findings: list[Finding], options: Iterable[str] = ()) -> dict[str, object]:
    """What is expected of a session: the fault that it is about, and all that is found in it; and the options with which it was cured."""
    return {"fault": fault, "options": sorted(options), "findings": [_row(finding) for finding in findings]}


def _row(finding: Finding) -> dict[str, object]:
    return {
        "fault": finding.fault,
        "severity": finding.severity.value,
        "state": finding.state.value,
        "line": finding.spot.line,
        "pointer": finding.spot.pointer,
        "cause": finding.cause,
        "cure": finding.cure,
        "obstacle": finding.obstacle,
        "option": finding.option,
        "is_lossless": finding.is_lossless,
        "wire": finding.wire,
        "twins": [[twin.line, twin.pointer] for twin in finding.twins],
    }


def make(recipe: Recipe) -> None:
    """Write the folder of one recipe."""
    bad = recipe.make().content
    with TemporaryDirectory() as scratch:
        findings, cured = found(Path(scratch), bad), repaired(Path(scratch), bad, recipe.options)
    shutil.rmtree(recipe.folder, ignore_errors=True)
    recipe.folder.mkdir(parents=True)
    (recipe.folder / "bad.jsonl").write_bytes(bad)
    (recipe.folder / "cured.jsonl").write_bytes(cured.content)
    (recipe.folder / "report.json").write_text(json.dumps(report(recipe.fault, findings, recipe.options), indent=1) + "\n")
    for reference, data in cured.kept.items():
        path = recipe.folder / reference
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)


def main(wanted: list[str]) -> None:
    """Make all of them, or those whose folders have one of these names."""
    for recipe in recipes():
        if not wanted or recipe.folder.name in wanted:
            make(recipe)
            print(f"{recipe.format}/{recipe.folder.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
