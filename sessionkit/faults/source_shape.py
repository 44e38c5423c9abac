"""Image blocks whose source is not what vendors ask for."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from sessionkit.core.sniff import Family
from sessionkit.faults.base import Severity, Stage, Uncured
from sessionkit.faults.contents import reason_of
from sessionkit.faults.cures import everywhere, fill, gathered, relabel
from sessionkit.faults.cures.tokens import replaced
from sessionkit.faults.exhibits import Flaw
from sessionkit.faults.judging import Charge, MediaFault, Remedy
from sessionkit.faults.note import EMPTY
from sessionkit.faults.profiles import Rule
from sessionkit.faults.remedies import first_of, from_twin, healthy_twin, is_sound, noted, unsound

if TYPE_CHECKING:
    from sessionkit.core.sniff import MediaType
    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit

_WITHOUT_DATA: Final = frozenset({Flaw.NO_SOURCE, Flaw.NO_DATA, Flaw.NOT_TEXT})
_OF_PROFILES: Final = MappingProxyType(
    {"claude-code": Severity.BRICKS, "codex": Severity.DEGRADES, "qwen-code": Severity.HARMLESS},
)
"""What a block without data does. Codex leaves out the whole message, qwen-code the image."""


class SourceShape(MediaFault):
    """An image block with a part missing."""

    id = "source-shape"
    stage = Stage.LABELS
    rule = Rule.SPELLING
    severities = MappingProxyType({"claude-code": Severity.DEGRADES})
    page = """\
source-shape: an image block with a part missing

Rule
  An image block has no source, its source has no data or names no media
  type, or it is of a type that the vendor does not know, such as "asset".
  Most often a tool took the image out and left the rest of the block.

What you see
  Claude Code, without data: undefined is not an object (evaluating
    'e.source.data.length'), at once and without asking the vendor. Not one
    turn works, and /compact fails as well.
  Anthropic: ...source.base64.media_type: Field required
             ...source: Input tag 'asset' found using 'type' does not match
  Pi and Gemini CLI are refused with every turn. Codex leaves out the whole
  message, with the user's words in it. qwen-code leaves out the image.

Cure
  A missing media type is told from the bytes and added. A source that is
  broken is made whole from its own data, from the copy that the agent kept
  for its screen, or from the asset that it names. Otherwise a short text
  takes the place of the block.

What it loses
  Nothing that was there."""

    def breaks(self, case: Case, exhibit: Exhibit) -> bool:
        """Whether the block is flawed; one that lacks its type alone is only judged if its data is something."""
        return exhibit.flaw is not Flaw.NONE and (exhibit.flaw is not Flaw.NO_TYPE or case.facts(exhibit) is not None)

    def charge(self, case: Case, exhibit: Exhibit) -> Charge:
        severity = _OF_PROFILES.get(case.profile.id) if exhibit.flaw in _WITHOUT_DATA else None
        return Charge(str(exhibit.flaw), _remedy(case, exhibit), severity=severity, is_blank=case.facts(exhibit) is None)

    def mend(self, case: Case, exhibit: Exhibit, choices: Choices) -> Cure:
        reason = reason_of(case, exhibit) if case.facts(exhibit) else EMPTY
        return first_of(
            choices,
            lambda: self._labelled(case, exhibit),
            lambda: _made_whole(case, exhibit),
            lambda: from_twin(case, exhibit),
            lambda: noted(case, exhibit, reason, choices),
        )

    def _labelled(self, case: Case, exhibit: Exhibit) -> Cure:
        type_ = _type(case, exhibit)
        if exhibit.flaw is not Flaw.NO_TYPE or type_ is None:
            return Uncured("more than its type is missing")
        return relabel(case.lines, everywhere(case, exhibit, partial(self.breaks, case)), type_.mime)


def _made_whole(case: Case, exhibit: Exhibit) -> Cure:
    """Give a source its own data back under the type that everybody knows; what is in a store comes from there."""
    if not is_sound(case, exhibit):
        return Uncured("its own data is no picture")
    if not _lacks_type_alone(exhibit):
        return fill(case.lines, unsound(case, exhibit), case.pictures.data(exhibit.media))
    shown = everywhere(case, exhibit, _lacks_type_alone)
    return gathered(replaced(case.lines.places(one.line), f"{one.block}/source/type", b'"base64"', "type base64") for one in shown)


def _lacks_type_alone(exhibit: Exhibit) -> bool:
    """Whether a source is whole but for what it calls itself."""
    return exhibit.flaw is Flaw.UNKNOWN_SOURCE and exhibit.label is not None and exhibit.is_inline


def _type(case: Case, exhibit: Exhibit) -> MediaType | None:
    """Tell the type by the bytes, if it is one of a picture or document."""
    facts = case.facts(exhibit)
    return facts.type if facts and facts.type.family in {Family.IMAGE, Family.DOCUMENT} else None


def _remedy(case: Case, exhibit: Exhibit) -> Remedy:
    if exhibit.flaw is Flaw.NO_TYPE and _type(case, exhibit):
        return Remedy.LABEL
    if is_sound(case, exhibit):
        return Remedy.SOURCE
    return Remedy.TWIN if healthy_twin(case, exhibit) else Remedy.NOTE
