"""SARIF 2.1.0, the format of code scanning."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from sessionkit import __version__
from sessionkit.cli.printable import without_base64
from sessionkit.cli.reports.jsonlines import Record, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.cli.voice import Voice
    from sessionkit.errors import ExitCode, Place
    from sessionkit.ops.failed import Failed

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class Sarif:
    """One document, written at the end; sessions that failed, and what was not checked, are notifications in it."""

    def __init__(self, voice: Voice, rules: Sequence[Record]) -> None:
        self._voice = voice
        self._rules = rules
        self._results: list[Record] = []
        self._failures: list[Record] = []
        self._caveats: list[Record] = []

    def add(self, *results: Record) -> None:
        """Keep results."""
        self._results += results

    def failure(self, failed: Failed) -> None:
        """Keep why a session failed."""
        error = failed.error
        session = f", while working on {failed.unnamed}" if failed.unnamed else ""
        message = without_base64(f"{error.what}{': ' + error.why if error.why else ''}{session}")
        locations = [location(error.place)] if error.place else []
        self._failures.append({"level": "error", "message": {"text": text(message)}, "locations": locations})

    def caveat(self, words: str, place: Place | None = None) -> None:
        """Keep what was not checked, in the whole run or in one session."""
        locations = {"locations": [location(place)]} if place else {}
        self._caveats.append({"level": "note", "message": {"text": words}, **locations})

    def write(self, code: ExitCode) -> None:
        """Write the document."""
        driver = {"name": "sessionkit", "version": __version__, "rules": self._rules}
        invocation = {
            "executionSuccessful": not self._failures,
            "exitCode": int(code),
            "toolExecutionNotifications": [*self._failures, *self._caveats],
        }
        run = {"tool": {"driver": driver}, "invocations": [invocation], "columnKind": "unicodeCodePoints", "results": self._results}
        document = json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)
        for line in document.replace("\x7f", "\\u007f").split("\n"):
            self._voice.line(line)


def location(place: Place) -> Record:
    """A file, and the line and value in it if the place names them."""
    physical: Record = {"artifactLocation": {"uri": _uri(place.path)}}
    if place.line:
        physical["region"] = {"startLine": place.line}
    found: Record = {"physicalLocation": physical}
    if place.pointer:
        found["logicalLocations"] = [{"fullyQualifiedName": text(place.pointer)}]
    return found


def _uri(path: str) -> str:
    """Relative paths as relative references, absolute ones as file URIs."""
    if Path(path).is_absolute():
        return "file://" + quote(os.fsencode(path))
    quoted = quote(os.fsencode(path))
    return f"./{quoted}" if ":" in quoted.partition("/")[0] else quoted
