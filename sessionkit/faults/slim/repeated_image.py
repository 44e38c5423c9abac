"""Pictures that are sent more than once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.core.model import MediaKind
from sessionkit.dataclass import dataclass
from sessionkit.faults.note import Note
from sessionkit.faults.slim.weight import Weight

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.faults.case import Case
    from sessionkit.faults.exhibits import Exhibit


@dataclass(frozen=True, slots=True)
class _Same(Note):
    """Says that the picture comes again later: its bytes need no asset."""

    def __str__(self) -> str:
        size = self.facts.size if self.facts else None
        pixels = f" {size.width}x{size.height}" if size else ""
        return f"[same image as below: {self.facts.type.mime if self.facts else 'image'}{pixels}]"


class RepeatedImage(Weight):
    """A picture that is sent again later."""

    id = "repeated-image"
    kind = "repeats"
    asset_length = 0
    page = """\
repeated-image: a picture that is sent again later

Rule
  The next request holds the same picture, byte for byte, more than once: a
  screenshot that was read again, a test that prints the same plot each time.

What you see
  Tokens and megabytes for a picture that the model has seen; with every
  request, until the next compaction.

Cure
  With --slim repeats the newest one stays, and each older one gives way to
  the text [same image as below: image/png 320x200]. This changes the next
  request: the vendor's cache of the conversation does not match any more,
  once.

What it loses
  Nothing: the newest copy stays where it is."""

    def weighing(self, case: Case) -> Iterator[Exhibit]:
        newest: dict[str, Exhibit] = {}
        live = [exhibit for exhibit in case.gallery.live if exhibit.media.kind is MediaKind.IMAGE and exhibit.role != "assistant"]
        for exhibit in live:
            facts = case.facts(exhibit)
            if facts:
                newest[facts.sha256] = exhibit
        for exhibit in live:
            facts = case.facts(exhibit)
            if facts and newest[facts.sha256] is not exhibit:
                yield exhibit

    def cause(self, case: Case) -> str:
        return "the same picture is sent again later"

    def note(self, case: Case, exhibit: Exhibit) -> Note:
        return _Same("", case.facts(exhibit))
