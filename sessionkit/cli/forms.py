"""The forms that a report of findings can take."""

from __future__ import annotations

from enum import StrEnum


class Form(StrEnum):
    """What the report looks like."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"
