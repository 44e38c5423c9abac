"""How every command that writes sessions does it."""

from __future__ import annotations

import os
from contextlib import nullcontext
from enum import Enum, auto
from typing import TYPE_CHECKING

from sessionkit.core.files import Durability, keeping_no_empty, make_folder, remove_leftovers
from sessionkit.core.stores.local_writer import StoreMode
from sessionkit.dataclass import dataclass
from sessionkit.ops.guards import Liveness, require_idle, require_unpacked
from sessionkit.ops.outputs import Existing, NoOutput, Output, in_place, new_file, rehearsed, standard_output

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from sessionkit.core.streams import ByteStream
    from sessionkit.ops.targets import Transfer


class Effect(Enum):
    """Whether a plan is carried out; a rehearsal does the same work with the same report, and writes nothing."""

    APPLY = auto()
    REHEARSE = auto()


@dataclass(frozen=True, slots=True)
class Writing:
    """What may be written over, how durably, and whether at all; and the seconds to wait for an asset store that others hold."""

    effect: Effect = Effect.APPLY
    existing: Existing = Existing.KEEP
    liveness: Liveness = Liveness.REFUSE
    durability: Durability = Durability.SYNC
    lock_timeout: float = 60.0

    def open_output(self, transfer: Transfer, stream: ByteStream) -> AbstractContextManager[Output]:
        """Open what takes the text of a session, whose stream gives mode and times; it is published when the block ends."""
        target = transfer.target
        if transfer.is_in_place:
            require_unpacked(transfer.source.path)
        if transfer.is_in_place and self.liveness is Liveness.REFUSE:
            require_idle(transfer.source.path, stream.status)
        if self.effect is Effect.REHEARSE:
            return self._rehearse(transfer)
        if target is None:
            return nullcontext(standard_output())
        if transfer.is_in_place:
            from sessionkit.core.files import Original  # noqa: PLC0415  seldom wanted, and it costs start-up

            return in_place(Original(target, stream.descriptor, stream.status), self.durability)
        like = None if transfer.source.is_stdin else stream.status
        self.make_folder_of(target, like)
        return new_file(target, like, self.existing, self.durability)

    def _rehearse(self, transfer: Transfer) -> AbstractContextManager[Output]:
        if transfer.target is None:
            return nullcontext(NoOutput())
        return rehearsed(transfer.target, Existing.REPLACE if transfer.is_in_place else self.existing)

    def clean_up(self, folders: Iterable[Path]) -> None:
        """Remove what killed runs left in folders where this one will write."""
        if self.effect is Effect.APPLY:
            for folder in sorted(set(folders)):
                if os.path.isdir(folder):  # noqa: PTH112  Path.is_dir raises for names that are too long: the session will say so
                    remove_leftovers(folder)

    def on_ground(self, folders: Iterable[Path]) -> AbstractContextManager[None]:
        """Clean up where this run will write; a folder that it makes in the block, and puts nothing into, is gone at the end."""
        if self.effect is Effect.REHEARSE:
            return nullcontext()
        places = frozenset(folders)
        self.clean_up(places)
        return keeping_no_empty(places)

    def make_folder_of(self, target: Path, like: os.stat_result | None) -> None:
        """Create the folder of a target; those who may read the session may enter."""
        if not os.path.isdir(os.path.dirname(target) or "."):  # noqa: PTH112, PTH120  tens of thousands; Path.is_dir raises for names that are too long
            mode = StoreMode.for_session(like.st_mode) if like else StoreMode()
            make_folder(target.parent, mode.folder, self.durability)
