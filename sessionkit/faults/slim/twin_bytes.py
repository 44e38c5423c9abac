"""Copies of pictures that only the screen of Claude Code shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.faults.exhibits import Form, Place
from sessionkit.faults.slim.weight import Weight

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit
    from sessionkit.faults.note import Note


class TwinBytes(Weight):
    """A second copy of a picture, for the screen only."""

    id = "twin-bytes"
    kind = "twins"
    page = """\
twin-bytes: a second copy of a picture, for the screen only

Rule
  Claude Code writes each picture that a tool gave twice into one line: once
  in the message, which is sent, and once under toolUseResult, which never
  is. That is half of the size of most of its sessions.

What you see
  Large sessions that are slow to resume.

Cure
  With --slim twins the second copy becomes an empty string, or a short text
  in a list. The next request stays the same, byte for byte. The screen goes
  on saying `Read image (2.7KB)`.

What it loses
  Nothing: the picture is in the message, and in images/ beside the session."""

    def weighing(self, case: Case) -> Iterator[Exhibit]:
        if case.format == "claude-code":
            yield from (exhibit for exhibit in case.exhibits if exhibit.place is Place.TWIN and _is_taken_out(exhibit))

    def cause(self, case: Case) -> str:
        return "a copy for the screen, which is never sent"

    def note(self, case: Case, exhibit: Exhibit) -> Note:
        return case.note(exhibit, "a copy for the screen")


def _is_taken_out(exhibit: Exhibit) -> bool:
    """Whether it is the file that was read, or an item of the list of a result; not what a command printed."""
    is_item = exhibit.block.startswith("/toolUseResult/") and exhibit.block.rpartition("/")[2].isdecimal()
    return exhibit.form is Form.FILE or (is_item and exhibit.form is not Form.ITEM)
