"""Compactions of Claude Code without their metadata."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sessionkit.faults.base import Fault, Finding, Severity, Spot, Stage, State
from sessionkit.faults.cures import gathered
from sessionkit.faults.cures.tokens import added, replaced
from sessionkit.faults.judging import ALL
from sessionkit.formats.claude_code.branch import is_boundary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.base import Choices, Cure, Splice
    from sessionkit.faults.case import Case

_METADATA: Final = b'{"trigger":"manual","preTokens":0}'
_NAME: Final = "compactMetadata"


class CompactMetadata(Fault):
    """A compaction without its metadata."""

    id = "compact-metadata"
    stage = Stage.LABELS
    page = """\
compact-metadata: a compaction without its metadata

Rule
  A line of Claude Code with the subtype compact_boundary has no object
  compactMetadata. Gateways and tools that copy sessions leave it out.

What you see
  Cannot destructure property 'cumulativeDroppedTokens' from null or
  undefined value
  Every /compact fails with it. The session goes on, but without the messages
  that the compaction had kept.

Cure
  The member is added, as a compaction by hand that counted no tokens. After
  that /compact works.

What it loses
  Nothing. Which messages had been kept cannot be told any more."""

    def find(self, case: Case) -> Iterator[Finding]:
        if case.format != "claude-code":
            return
        for record in case.outline.records:
            if is_boundary(record) and not isinstance(record.value.get(_NAME), dict):
                line = record.origin.line
                state = State.LIVE if line in case.tree.lines else State.ASLEEP
                option = "" if state is State.LIVE else ALL
                cause = "the compaction has no metadata: /compact fails"
                yield Finding(self.id, Severity.DEGRADES, state, Spot(line), cause, "the member is added", option=option)

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        return gathered(_with_metadata(case, finding.spot.line))


def _with_metadata(case: Case, line: int) -> Iterator[Splice]:
    places, shown = case.lines.places(line), _METADATA.decode()
    if places.has(f"/{_NAME}"):
        yield replaced(places, f"/{_NAME}", _METADATA, shown)
    else:
        yield added(places, "", f'"{_NAME}":'.encode() + _METADATA, shown)
