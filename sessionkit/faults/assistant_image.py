"""Images in what the model said."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from sessionkit.core.model import Role, Thinking
from sessionkit.faults.base import Fault, Finding, Severity, Stage, Uncured
from sessionkit.faults.cures import put_note
from sessionkit.faults.exhibits import Form, Place
from sessionkit.faults.judging import Remedy, weighed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Message
    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit

_FORMATS: Final = frozenset({"claude-code", "plain"})
_REASON: Final = "not permitted in an answer"
_THOUGHT: Final = "its answer holds signed thinking, which may not be touched"
_ASLEEP: Final = "it is not sent, and nobody can tell whether its answer holds signed thinking"


class AssistantImage(Fault):
    """An image in what the model said."""

    id = "assistant-image"
    stage = Stage.LABELS
    page = """\
assistant-image: an image in what the model said

Rule
  An image or document stands in a message of the assistant. Anthropic takes
  them from users and tools only. An agent does not write this; tools that
  merge or translate sessions do.

What you see
  messages.16.content: 'image' blocks are not permitted within assistant turns
  Claude Code is refused with every turn. Pi leaves such an image out.

Cure
  A short text takes the place of the image. If the same answer holds
  thinking, it is left alone: thinking is signed, and a changed answer would
  be refused for that.

What it loses
  The image, from the context. It is kept in images/ beside the session."""

    def find(self, case: Case) -> Iterator[Finding]:
        meant = [exhibit for exhibit in case.exhibits if _is_meant(case, exhibit)]
        thought = _thought_lines(case) if meant else frozenset()
        yield from (_told(case, exhibit, _obstacle(exhibit, thought)) for exhibit in meant)

    def cure(self, case: Case, finding: Finding, choices: Choices) -> Cure:
        if finding.obstacle:
            return Uncured(finding.obstacle)
        exhibit = case.exhibit(finding.spot)
        return put_note(case.lines, (exhibit,), case.note(exhibit, _REASON), choices.lengths)


def _is_meant(case: Case, exhibit: Exhibit) -> bool:
    """Whether it is a block of an answer, in a session that holds messages as Anthropic's interface has them."""
    is_answer = exhibit.role == "assistant" and exhibit.place is not Place.TWIN and not exhibit.in_result
    return is_answer and exhibit.form is Form.SOURCE and case.format in _FORMATS and case.profile.is_of_anthropic


def _told(case: Case, exhibit: Exhibit, obstacle: str) -> Finding:
    return Finding(
        AssistantImage.id,
        weighed(case, Severity.BRICKS),
        exhibit.state,
        exhibit.spot,
        f"the model said it, and {exhibit.media.kind.value}s are not permitted there",
        cure="" if obstacle else Remedy.NOTE,
        obstacle=obstacle,
        is_lossless=False,
        image=case.image(exhibit),
        twins=tuple(twin.spot for twin in case.gallery.twins(exhibit)),
        wire=case.way(exhibit),
    )


def _obstacle(exhibit: Exhibit, thought: frozenset[int]) -> str:
    if not exhibit.is_live:
        return _ASLEEP
    return _THOUGHT if exhibit.line in thought else ""


def _thought_lines(case: Case) -> frozenset[int]:
    """Find the lines of answers that hold thinking; records of one answer stand next to each other."""
    lines: set[int] = set()
    for role, run in groupby(case.conversation.messages, key=lambda message: message.role):
        messages = tuple(run)
        if role is Role.ASSISTANT and any(map(_thinks, messages)):
            lines.update(message.origin.line for message in messages)
    return frozenset(lines)


def _thinks(message: Message) -> bool:
    return any(isinstance(block, Thinking) for block in message.content)
