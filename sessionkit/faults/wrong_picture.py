"""Pasted pictures that are the one before."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from sessionkit.core.model import Media, Role, UserKind
from sessionkit.faults.base import Finding, Severity, State
from sessionkit.faults.reported import ReportedFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit


class WrongPicture(ReportedFault):
    """A pasted picture that is the one before."""

    id = "wrong-picture"
    page = """\
wrong-picture: a pasted picture that is the one before

Rule
  Two messages of the user, one after the other, hold the same picture. That
  may be meant. But Claude Code numbers what is pasted in a cache that it
  uses again, and has sent an old picture under a new number.

What you see
  The agent talks about another picture than the one that you pasted:
  [Image #2] is what [Image #1] was.

Cure
  None: the bytes are a sound picture, and what was meant is not in the
  session. Paste it once more.

What it loses
  Nothing."""

    def find(self, case: Case) -> Iterator[Finding]:
        for before, after in pairwise(_pasted(case)):
            known = {facts.sha256: exhibit for exhibit in before if (facts := case.facts(exhibit))}
            for exhibit in after:
                facts = case.facts(exhibit)
                if facts and facts.sha256 in known:
                    twin = known[facts.sha256].spot
                    cause = f"it is the picture of the message before, on line {twin.line}"
                    yield Finding(
                        self.id,
                        Severity.HARMLESS,
                        State.LIVE,
                        exhibit.spot,
                        cause,
                        obstacle="it may be meant",
                        image=case.image(exhibit),
                        twins=(twin,),
                        wire=case.way(exhibit),
                    )


def _pasted(case: Case) -> Iterator[list[Exhibit]]:
    """Give the pictures of each message of the user that holds some."""
    live = {(exhibit.line, exhibit.block): exhibit for exhibit in case.gallery.live}
    for message in case.conversation.messages:
        if message.role is Role.USER and message.kind is UserKind.PROMPT:
            media = [block for block in message.content if isinstance(block, Media)]
            found = [live.get((medium.origin.line, medium.origin.pointer.removesuffix("/inlineData"))) for medium in media]
            if any(found):
                yield [exhibit for exhibit in found if exhibit]
