"""Pictures that are named by their path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessionkit.faults import fault_of
from sessionkit.faults.base import Choices, Severity, Uncured
from tests.faults.media_bases import of_codex, of_pi, read
from tests.faults.workshop import Session, opened

if TYPE_CHECKING:
    from pathlib import Path

FAULT = fault_of("unread-picture")
TEXTS = {
    "What is wrong in /tmp/shot.png?": ["shot.png"],
    "~/Desktop/a.JPG and ./b/c.webp, please": ["a.JPG", "c.webp"],
    "'/Users/me/Screenshot 2026-11-30 at 10.00.png' is odd": ["Screenshot 2026-11-30 at 10.00.png"],
    "/Users/me/Screenshot\\ 2026-11-30.png": ["Screenshot 2026-11-30.png"],
    "C:\\Users\\me\\a.png": ["a.png"],
    "see https://example.com/images/a.png": [],
    "the file login.png": [],  # no path
    "make /tmp/a.png.zip": [],
    "look at /home/user/project/login.png again": [],  # it was read
    "no picture /etc/hosts": [],
}


@pytest.mark.parametrize(("text", "names"), TEXTS.items(), ids=range(len(TEXTS)))
def test_texts(text: str, names: list[str], tmp_path: Path) -> None:
    session = read().with_value(3, "/message/content", text)
    with opened(tmp_path, session) as case:
        findings = list(FAULT.find(case))
        assert [finding.cause for finding in findings] == ([f"it names what nobody read: {', '.join(names)}"] if names else [])
        assert all(finding.severity is Severity.HARMLESS and not finding.cure and finding.obstacle for finding in findings)
        assert all(FAULT.cure(case, finding, Choices()) == Uncured(finding.obstacle) for finding in findings)


def test_a_message_that_came_with_a_picture(tmp_path: Path) -> None:
    with opened(tmp_path, of_pi().with_value(5, "/message/content/0/text", "Look at /tmp/other.png")) as case:
        assert list(FAULT.find(case)) == []


@pytest.mark.parametrize("session", [of_codex(), Session.recorded("codex/compacted"), Session.recorded("pi/compacted")])
def test_what_was_read_before_a_compaction_was_read(session: Session, tmp_path: Path) -> None:
    with opened(tmp_path, session) as case:
        assert list(FAULT.find(case)) == []
