"""Where assets were looked for that are not there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sessionkit.core.assets import FOLDER
from sessionkit.core.model import Stored, media_of
from sessionkit.dataclass import replace
from sessionkit.providers.replay.media import TO_FIND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.core.model import Conversation
    from sessionkit.core.stores.addresses import Address
    from sessionkit.ops.sources import Source
    from sessionkit.providers.replay import SendingFault


def with_folder(
    faults: Sequence[SendingFault], source: Source, named: Address | None, conversation: Conversation
) -> tuple[SendingFault, ...]:
    """Say for missing assets in which folder they were looked for, where that may be the wrong one."""
    hint = _hint(source, named, conversation) if any(fault.hint == TO_FIND for fault in faults) else ""
    return tuple(replace(fault, hint=hint) if hint and fault.hint == TO_FIND else fault for fault in faults)


def _hint(source: Source, named: Address | None, conversation: Conversation) -> str:
    folder = source.store(named)
    if not isinstance(folder, Path):
        return ""
    names = {Path(media.source.asset.reference).name for media in media_of(conversation.messages) if isinstance(media.source, Stored)}
    if any((folder / FOLDER / name).is_file() for name in names):
        return f"they are in {folder / FOLDER}: say --store {folder / FOLDER}"
    if source.is_stdin and named is None:
        return f"what comes on standard input has its assets in {folder} of the working folder, or in --store DIR"
    return "" if folder.is_dir() else f"{TO_FIND}, or name another folder with --store: there is no {folder}"
