"""Labels that are not those of the bytes."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from sessionkit.core.model import MediaKind
from sessionkit.core.pictures import Facts
from sessionkit.faults.base import Severity, Stage
from sessionkit.faults.cures import everywhere, relabel
from sessionkit.faults.judging import Charge, MediaFault, Remedy
from sessionkit.faults.labels import is_accepted_label, label_of, names_of
from sessionkit.faults.profiles import Rule
from sessionkit.faults.remedies import first_of

if TYPE_CHECKING:
    from sessionkit.faults.base import Choices, Cure
    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit


class WrongMediaType(MediaFault):
    """An image under the label of another type."""

    id = "wrong-media-type"
    stage = Stage.LABELS
    rule = Rule.LABEL
    severities = MappingProxyType({"claude-code": Severity.DEGRADES})
    page = """\
wrong-media-type: an image under the label of another type

Rule
  The image is sound, but the session says that it is of another type: a JPEG
  under image/png, because the file was called shot.png. Anthropic compares
  the label with the bytes and refuses. OpenAI and Gemini look at the bytes
  alone; there it is only a note.

What you see
  The image was specified using the image/png media type, but the image
  appears to be a image/jpeg image
  or, in 2025: Image does not match the provided media type image/png
  Pi is refused with every turn. Claude Code leaves the image out, and one
  more healthy image with every turn that follows, until it sees none; behind
  some gateways, and in older versions, no turn works any more.

Cure
  The label is set right, beside the image and at its twins: a few bytes.

What it loses
  Nothing. The image stays as it is, and the model sees it again."""

    def breaks(self, case: Case, exhibit: Exhibit) -> bool:
        """Whether a whole image of an accepted type has the label of another accepted one."""
        label, facts = label_of(exhibit), case.look(exhibit)
        if exhibit.media.kind is not MediaKind.IMAGE or exhibit.flaw or label is None or not isinstance(facts, Facts):
            return False
        return facts.type in case.profile.types and label not in names_of(facts.type) and is_accepted_label(case, exhibit)

    def charge(self, case: Case, exhibit: Exhibit) -> Charge:
        facts = case.facts(exhibit)
        assert facts is not None
        return Charge(f"it is labelled {label_of(exhibit)}, and its bytes are {facts.type.mime}", Remedy.LABEL)

    def mend(self, case: Case, exhibit: Exhibit, choices: Choices) -> Cure:
        facts = case.facts(exhibit)
        assert facts is not None
        mime = facts.type.mime
        return first_of(choices, lambda: relabel(case.lines, everywhere(case, exhibit, lambda other: self.breaks(case, other)), mime))
