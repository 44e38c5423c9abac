"""What becomes of a session that is to be sent."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from sessionkit.dataclass import dataclass
from sessionkit.providers.body import Layout, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sessionkit.core.model import Skipped
    from sessionkit.core.pictures import Pictures
    from sessionkit.ops.rehydrate.options import Remedy
    from sessionkit.ops.sources import Source
    from sessionkit.providers.base import Provider, Target
    from sessionkit.providers.body import Steps
    from sessionkit.providers.checks import Verdict
    from sessionkit.providers.draft import Draft
    from sessionkit.providers.layouts import Shift
    from sessionkit.providers.replay import Note, SendingFault


class Extent(Enum):
    """How much of a body is written."""

    ALL = auto()
    MESSAGES = auto()
    """The list of messages alone."""


@dataclass(frozen=True, slots=True)
class Unsendable:
    """A session of which nothing can be sent, with all the reasons."""

    source: Source
    provider: Provider
    faults: tuple[SendingFault, ...]
    notes: tuple[Note, ...]
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Rehydrated:
    """A request body, which can be written as long as its session is open.

    `shifts` tell for each message where the client has it whose numbers are wanted; None for those of the body. `untried` is what
    else could be done about images that exceed a limit, `skipped` what of the session was passed over.
    """

    source: Source
    format: str
    provider: Provider
    target: Target
    body: Draft
    verdict: Verdict
    notes: tuple[Note, ...]
    pictures: Pictures
    shifts: tuple[Shift, ...] | None = None
    untried: frozenset[Remedy] = frozenset()
    skipped: tuple[Skipped, ...] = ()

    def pieces(self, extent: Extent = Extent.ALL, layout: Layout = Layout.COMPACT) -> Iterator[bytes]:
        """Write the body piece by piece; a medium is read when it is its turn, and is a piece of its own."""
        encode = self.pictures.base64
        match extent, layout:
            case Extent.ALL, Layout.COMPACT:
                return self.body.write(encode)
            case Extent.ALL, _:
                return write(self.body.members, encode, layout)
            case _:
                return write(self.body.members[self.provider.list_name], encode, layout)

    def numbered(self, steps: Steps) -> Steps:
        """Change the way to a part of the body into the one with the numbers that are wanted."""
        if self.shifts is None:
            return steps
        from sessionkit.providers.layouts import to_client  # noqa: PLC0415  few ask for it

        return to_client(steps, self.shifts)
