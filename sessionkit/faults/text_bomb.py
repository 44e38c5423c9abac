"""Base64 that the model is made to read as words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sessionkit.core.model import Text, ToolResult
from sessionkit.core.sniff import Family, sniff_base64
from sessionkit.faults.base import Finding, Severity, Spot, State
from sessionkit.faults.reported import ReportedFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.case import Case

_LEAST: Final = 4096
"""Characters of base64 that make a text a bomb."""
_BEFORE, _HEAD = 48, 96
_runs = re.compile(rf"[A-Za-z0-9+/]{{{_LEAST},}}").finditer
_announces = re.compile(r"base64|\"(?:data|image_url|url|b64_json)\"\s*:", re.IGNORECASE).search


class TextBomb(ReportedFault):
    """A picture that is sent as words."""

    id = "text-bomb"
    page = """\
text-bomb: a picture that is sent as words

Rule
  A text that the model reads holds more than 4 kB of base64: the output of a
  tool that printed an image, a block of an image that was turned into a
  string, a data URL that was pasted.

What you see
  The context fills up at once: a screenshot of 500 kB costs hundreds of
  thousands of tokens as text, and some 1,500 as a picture. Then compactions
  in a row, or "prompt is too long". The model cannot see the picture.

Cure
  None by this tool: the text is yours, and it may be what you asked for. Go
  back to before that turn, or start anew and let the agent read the file.

What it loses
  Nothing."""

    def find(self, case: Case) -> Iterator[Finding]:
        for text in _texts(case):
            size = sum(len(run[0]) for run in _runs(text.text) if _is_medium(run))
            if size:
                place = Spot(text.origin.line, text.origin.pointer)
                cause = f"{size} characters of base64 are read as words"
                obstacle = "the text is the user's: go back to before it"
                way = case.wire.way(place.line, place.pointer)
                yield Finding(self.id, Severity.DEGRADES, State.LIVE, place, cause, obstacle=obstacle, wire=way)


def _texts(case: Case) -> Iterator[Text]:
    for message in case.conversation.messages:
        for block in message.content:
            parts = block.content if isinstance(block, ToolResult) else (block,)
            yield from (part for part in parts if isinstance(part, Text) and len(part.text) >= _LEAST)


def _is_medium(run: re.Match[str]) -> bool:
    """Whether a run of letters is a picture by its first bytes, or by what stands before it."""
    before = run.string[max(0, run.start() - _BEFORE) : run.start()]
    return sniff_base64(run[0][:_HEAD].encode()).family in {Family.IMAGE, Family.DOCUMENT} or bool(_announces(before))
