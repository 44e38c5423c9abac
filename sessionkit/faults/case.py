"""A session laid open for the faults: its lines, its media, the next request and what it is measured by."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from sessionkit.core.model import MediaKind, Stored
from sessionkit.core.pictures import Facts
from sessionkit.dataclass import dataclass
from sessionkit.faults.base import Image, Spot
from sessionkit.faults.blemishes import blemishes_of
from sessionkit.faults.gaps import gap_of
from sessionkit.faults.note import Note
from sessionkit.faults.outline import outline_of
from sessionkit.faults.pairs import repeats
from sessionkit.faults.pieces import is_padding, pieces_of
from sessionkit.faults.tree import tree_of
from sessionkit.faults.wire import Wire

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sessionkit.core.model import Conversation
    from sessionkit.core.pictures import Pictures, Trouble
    from sessionkit.faults.blemishes import Blemishes
    from sessionkit.faults.exhibits import Exhibit
    from sessionkit.faults.gallery import Gallery
    from sessionkit.faults.gaps import Gap
    from sessionkit.faults.lines import Lines
    from sessionkit.faults.outline import Outline
    from sessionkit.faults.pairs import Repeat
    from sessionkit.faults.pieces import Piece
    from sessionkit.faults.profiles import Profile
    from sessionkit.faults.tree import Tree


@dataclass(frozen=True)
class Case:
    """One session. Everything in it is read once and shared by all faults; long media stay in the file.

    `gallery` holds all media of the file in the order of their lines, live or not. `wire` tells where things stand in the next request.
    `blobs` is a folder with what another tool took out, by SHA-256; None where none is known.
    """

    path: str
    format: str
    conversation: Conversation
    profile: Profile
    lines: Lines
    gallery: Gallery
    pictures: Pictures
    blobs: Path | None = None

    @property
    def exhibits(self) -> tuple[Exhibit, ...]:
        """All media, in the order of their lines."""
        return self.gallery.exhibits

    @cached_property
    def wire(self) -> Wire:
        """The next request; it is built when something asks for it."""
        return Wire(self.conversation)

    @cached_property
    def outline(self) -> Outline:
        """All entries without their long strings."""
        return outline_of(self.lines, self.path, self.format)

    @cached_property
    def odd(self) -> Mapping[int, tuple[Piece, ...]]:
        """Lines that are not one JSON value, and their pieces; no pieces of those that are nested too deep."""
        return {line: pieces_of(self.lines.raw(line), self.format) for line in self.outline.odd}

    @cached_property
    def unread(self) -> tuple[int, ...]:
        """Lines that are nested too deep to be read: what hangs on an entry of theirs, or answers one, is not known to be at fault."""
        torn = (line for line, pieces in self.odd.items() if not pieces and not is_padding(self.lines.raw(line)))
        return tuple(sorted({*self.outline.deep, *torn}))

    @cached_property
    def tree(self) -> Tree:
        """The entries by their ids and parents; an empty one for agents that keep no tree."""
        return tree_of(self.outline.records, self.format)

    @cached_property
    def gap(self) -> Gap | None:
        """Where the path of the tree ends at a line that was lost; None where it does not."""
        return gap_of(self)

    @cached_property
    def repeats(self) -> Mapping[Spot, Repeat]:
        """Results of calls that have one already, by their places."""
        return {Spot(each.result.line, each.result.pointer): each for each in repeats(self)}

    @cached_property
    def blemishes(self) -> Blemishes:
        """Lines with bytes that should not be there."""
        return blemishes_of(self.lines)

    @cached_property
    def live_lines(self) -> frozenset[int]:
        """Lines that the next request is made of, and those that lead to them."""
        return self.tree.lines.union(message.origin.line for message in self.conversation.messages)

    @cached_property
    def image_count(self) -> int:
        """Images of the next request, those in results too."""
        return sum(exhibit.media.kind is MediaKind.IMAGE for exhibit in self.gallery.live)

    def look(self, exhibit: Exhibit) -> Facts | Trouble:
        """Tell what an exhibit is by its bytes. Raises what `Pictures.look` raises."""
        return self.pictures.look(exhibit.media)

    def facts(self, exhibit: Exhibit) -> Facts | None:
        """Tell what is known of its bytes, sound or not; None where there are none."""
        look = self.look(exhibit)
        return look if isinstance(look, Facts) else look.facts

    def base64_length(self, exhibit: Exhibit) -> int:
        """Characters of base64 that it takes, or would take if it stood in the line."""
        facts = self.facts(exhibit) if isinstance(exhibit.media.source, Stored) else None
        return exhibit.base64_length(facts.bytes if facts else 0)

    def image(self, exhibit: Exhibit) -> Image:
        """Describe an exhibit for a finding."""
        facts, length = self.facts(exhibit), self.base64_length(exhibit)
        declared = exhibit.media.media_type
        if facts is None:
            return Image(declared, None, None, length, None)
        return Image(declared, facts.type.mime, facts.bytes, length, facts.sha256, facts.size)

    def note(self, exhibit: Exhibit, reason: str) -> Note:
        """Say why an exhibit is taken out, with what is measured of it."""
        return Note(reason, self.facts(exhibit), kind=exhibit.media.kind)

    def exhibit(self, spot: Spot) -> Exhibit:
        """Find the exhibit that a finding is about; KeyError if there is none."""
        return self.gallery.at(spot)

    def twins(self, exhibit: Exhibit) -> tuple[Spot, ...]:
        """Find where the same picture stands again: what the agent wrote as one, and equal bytes elsewhere."""
        others = dict.fromkeys(other.spot for other in (*self.gallery.twins(exhibit), *self.gallery.copies(exhibit)))
        return tuple(sorted(others, key=lambda spot: (spot.line, spot.pointer)))

    def way(self, exhibit: Exhibit) -> str:
        """Tell where it stands in the next request, as the client counts: `messages.3.content.1`; empty if it does not."""
        return self.wire.way(exhibit.line, exhibit.block) if exhibit.is_live else ""
