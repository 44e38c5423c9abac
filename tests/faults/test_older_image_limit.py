"""Images that used to be refused are only told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.faults import fault_of
from sessionkit.faults.base import Severity
from sessionkit.faults.open import Options
from sessionkit.faults.profiles import Hosts, Wish
from tests.faults.media_bases import PNG, briefly_read, of_gemini, of_pi
from tests.faults.workshop import Session, opened

if TYPE_CHECKING:
    from pathlib import Path

MIB = 1 << 20
DIRECT = Options(wish=Wish(hosts=Hosts.OWN))


def of_length(length: int) -> bytes:
    return PNG + bytes(length // 4 * 3 - len(PNG))


@pytest.mark.parametrize(
    ("session", "options", "edge"),
    [
        (of_pi(), DIRECT, (5 * MIB, 0)),
        (of_pi(), DIRECT, (5 * MIB + 4, 1)),
        (of_pi(), Options(), (5 * MIB + 4, 0)),  # it is too large there
        (briefly_read(), DIRECT, (5 * MIB + 4, 0)),
        (of_gemini(), Options(), (20 * MIB, 0)),
        (of_gemini(), Options(), (20 * MIB + 4, 1)),
    ],
)
def test_edges(session: Session, options: Options, edge: tuple[int, int], tmp_path: Path) -> None:
    length, count = edge
    with opened(tmp_path, session.with_image(0, of_length(length)), options) as case:
        findings = list(fault_of("older-image-limit").find(case))
        assert [(finding.severity, finding.cure, finding.option) for finding in findings] == [(Severity.HARMLESS, "", "")] * count
        assert all(finding.obstacle for finding in findings)
