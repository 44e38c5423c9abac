"""What looks like a reference and cannot be restored is a finding."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sessionkit.core.media.references import Oddity
from sessionkit.ops.findings import FindingKind, Severity
from tests.ops.test_verify import PNG, inline, name_of, native, sessions, spilled, told, verify_all, verify_one

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["spilled"]

TORN = inline(PNG)[:-20] + b"\n"


@pytest.mark.parametrize(
    ("line", "is_lost"),
    [
        (native(name_of(PNG).reference)[:-4] + b"\n", True),
        (native(name_of(PNG).reference).replace(b"[", b"[,"), True),
        (b'{"a": 1}' + native(name_of(PNG).reference)[:-4] + b"\n", True),
        (native(name_of(PNG).reference)[:-1] + TORN, False),  # the whole value before the break is read
        (TORN, False),
        (json.dumps({"text": '{"asset_path": "images/"}'}).encode()[:-1] + b"\n", False),
    ],
)
def test_bad_line_that_hides_references_is_an_error(tmp_path: Path, line: bytes, is_lost: bool) -> None:
    (tmp_path / "s.jsonl").write_bytes(line)
    result = verify_one(tmp_path / "s.jsonl")
    lost = [finding for finding in result.findings.kept if finding.kind is FindingKind.BAD_LINE]
    assert [finding.severity for finding in lost] == [Severity.ERROR] * is_lost
    assert (FindingKind.BAD_LINE in result.findings.counts) is is_lost
    assert FindingKind.BAD_LINE not in result.notes.counts or not is_lost


@pytest.mark.parametrize("change", [lambda run: run | {"asset_field": 3}, lambda run: dict(sorted(run.items()))])
def test_reference_that_was_rewritten_is_a_finding(spilled: Path, change: Callable[[dict[str, object]], dict[str, object]]) -> None:
    first, *rest = (spilled / "a.jsonl").read_bytes().splitlines(keepends=True)
    value = json.loads(first)
    blocks = value["message"]["content"]
    blocks[0] = change(blocks[0])
    (spilled / "a.jsonl").write_bytes(json.dumps(value).encode() + b"\n" + b"".join(rest))
    result = sessions(verify_all(spilled))["a.jsonl"]
    assert told(result) == [("1/message/content/0", "odd-reference")]
    assert result.findings.kept[0].cause == Oddity.FORM
    assert result.references == 2
