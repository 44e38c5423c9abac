"""Reasoning that its vendor does not take back: nothing in a session tells it, so it is only explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.faults.reported import ReportedFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.base import Finding
    from sessionkit.faults.case import Case


class ThinkingModified(ReportedFault):
    """Reasoning that its vendor does not take back."""

    id = "thinking-modified"
    page = """\
thinking-modified: reasoning that its vendor does not take back

Rule
  Anthropic signs the thinking of its models, and takes it back only with the
  answer that it belongs to, unchanged. A tool has edited the answer, another
  model or account goes on with the session, or a client joined its blocks
  anew.

What you see
  messages.N.content.M: `thinking` or `redacted_thinking` blocks in the
  latest assistant message cannot be modified. These blocks must remain as
  they were in the original response.
  ...content.0: Invalid `signature` in `thinking` block

Cure
  None by this tool: a signature cannot be made, and whether it fits only the
  vendor can tell, so `check` finds nothing. Go back to before that answer,
  switch thinking off for one turn, or compact the session. The cures of this
  tool never touch an answer that holds thinking.

What it loses
  Nothing."""

    def find(self, case: Case) -> Iterator[Finding]:
        yield from ()
