"""Pictures on branches that were left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.faults.slim.sleepers import off_path
from sessionkit.faults.slim.weight import Weight

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit
    from sessionkit.faults.note import Note


class OffPathImages(Weight):
    """A picture on a branch that was left."""

    id = "off-path-images"
    kind = "off-path"
    page = """\
off-path-images: a picture on a branch that was left

Rule
  The picture stands in a turn that was taken back, on a branch that was
  left, or in what a subagent did. The next request does not hold it.

What you see
  Large sessions that are slow to resume.

Cure
  With --slim off-path a short text takes the place of each. It asks before
  it does so, because going back to such a branch finds the texts.

What it loses
  The pictures of those branches, from the session. They are kept in images/
  beside it."""

    def weighing(self, case: Case) -> Iterator[Exhibit]:
        return off_path(case)

    def cause(self, case: Case) -> str:
        return "it stands on a branch that was left, or in what a subagent did"

    def note(self, case: Case, exhibit: Exhibit) -> Note:
        return case.note(exhibit, "on a branch that was left")
