"""The forms that a report of findings can take."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeAlias

from sessionkit.cli.declare import Option


class Form(StrEnum):
    """What the report looks like."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


OutputFormat: TypeAlias = Annotated[Form, Option("--output-format", help="Print the report in this form.")]
