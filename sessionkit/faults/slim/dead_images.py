"""Pictures from before a compaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.faults.compactions import newest_compaction
from sessionkit.faults.prompts import is_prompt
from sessionkit.faults.slim.sleepers import dead
from sessionkit.faults.slim.weight import Weight

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit
    from sessionkit.faults.note import Note


class DeadImages(Weight):
    """A picture that is never sent again."""

    id = "dead-images"
    kind = "dead"
    page = """\
dead-images: a picture that is never sent again

Rule
  The picture stands before the newest compaction, and the compaction did not
  keep it; in Codex also inside of an older compaction; in Gemini CLI in
  messages that were set anew later. The agent cannot send it any more, but
  reads it with every start.

What you see
  Sessions of hundreds of megabytes that are slow to resume, though the
  context is small.

Cure
  With --slim dead a short text takes the place of each. The next request
  stays the same, byte for byte. Codex remembers where lines begin, so its
  sessions are only made smaller in a copy (-o FILE).

What it loses
  If you go back to before the compaction, the agent finds the texts and not
  the pictures. They are kept in images/ beside the session."""

    def weighing(self, case: Case) -> Iterator[Exhibit]:
        return dead(case)

    def cause(self, case: Case) -> str:
        newest = newest_compaction(case)
        prompts = sum(record.origin.line < newest and is_prompt(record) for record in case.outline.records)
        said = f"{prompts} prompts of the user stand" if prompts != 1 else "1 prompt of the user stands"
        how = "all messages were set anew" if case.format == "gemini-cli" else "the newest compaction stands"
        return f"it is never sent again: {how} on line {newest}, and {said} before that"

    def note(self, case: Case, exhibit: Exhibit) -> Note:
        return case.note(exhibit, "before a compaction")
