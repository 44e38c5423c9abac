"""Write what a command makes of a session, a body or a page, to a file."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from sessionkit.core.assets import FOLDER, AssetName
from sessionkit.core.files import unwritable
from sessionkit.core.files.temporary import PRIVATE
from sessionkit.errors import Place, UsageError
from sessionkit.ops.outputs import Outcome, new_file
from sessionkit.ops.targets import OneFile, plan_transfers
from sessionkit.ops.writing import Writing

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sessionkit.ops.outputs import Existing
    from sessionkit.ops.sources import Source


def plan_file(source: Source, path: Path) -> Path | None:
    """Find the file to write, None for standard output.

    Raises UsageError for the session itself, for the name of an archive, and for that of an asset, which other sessions may need.
    """
    if path.parent.resolve().name == FOLDER and _is_asset(path):
        raise UsageError("this is the name of an asset, whose content never changes", place=Place(str(path)), hint="choose another file")
    if not source.is_stdin and _is_same(source.path, path):
        raise UsageError("this is the session, and would be written over", place=Place(str(path)), hint="choose another file")
    [transfer] = plan_transfers([source], OneFile(path))
    return transfer.target


def _is_asset(path: Path) -> bool:
    with suppress(ValueError):
        AssetName.parse(f"{FOLDER}/{path.name}")
        return True
    return False


def _is_same(path: Path, other: Path) -> bool:
    with suppress(OSError):  # one of them is not there, or is no name at all, which reading or writing will tell
        return path.samefile(other)
    return False


def write_file(pieces: Iterable[bytes], target: Path, existing: Existing, mode: int = PRIVATE) -> int:
    """Write the pieces atomically, and count their bytes. What stands there already as it should be keeps its mode.

    Raises UnwritableError, and RefusedError where another file stands that must not be replaced.
    """
    writing = Writing(existing=existing)
    writing.clean_up([target.parent])
    writing.make_folder_of(target, None)
    with new_file(target, None, writing.existing, writing.durability) as output:
        for piece in pieces:
            output.write([piece])
    if output.outcome is Outcome.WRITTEN and mode != PRIVATE:
        _allow(target, mode)
    return output.size


def _allow(target: Path, mode: int) -> None:
    try:
        target.chmod(mode)
    except OSError as error:
        raise unwritable(target, error) from error
