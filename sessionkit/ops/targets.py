"""Where a command writes each session."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeAlias

from sessionkit.dataclass import dataclass
from sessionkit.errors import Place, UsageError
from sessionkit.ops.sources import STDIN, is_packed, unpacked_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sessionkit.ops.sources import Source


@dataclass(frozen=True, slots=True)
class Mirror:
    """Below a folder, at the same relative paths."""

    folder: Path


@dataclass(frozen=True, slots=True)
class OneFile:
    """One file; `-` is standard output."""

    path: Path


@dataclass(frozen=True, slots=True)
class InPlace:
    """Over the source."""


Destination: TypeAlias = Mirror | OneFile | InPlace


@dataclass(frozen=True, slots=True)
class Transfer:
    """A session and where it goes; `target` is None for standard output, the source itself for a change in place."""

    source: Source
    target: Path | None
    is_in_place: bool = False


def plan_transfers(sources: Sequence[Source], destination: Destination) -> list[Transfer]:
    """Pair sources with targets. Raises UsageError where two sources have one target, or a target is a source."""
    match destination:
        case Mirror(folder):
            transfers = [Transfer(source, _mirrored(source, folder)) for source in sources]
            _require_distinct(transfers)
            if _exists(folder):  # else nothing stands there, and nobody has to look for each
                _require_other_files(transfers)
        case OneFile(path):
            _require_plain_name(path)
            transfers = [Transfer(_the_only(sources), None if path == STDIN else path)]
            _require_other_files(transfers)
        case InPlace():
            _require_files(sources)
            transfers = [Transfer(source, source.path, is_in_place=True) for source in sources]
    return transfers


def found_in_output(sources: Sequence[Source], destination: Destination) -> list[Source]:
    """Sources below the folder of the output, which lies in a folder that was searched: an earlier run has most likely written them."""
    if not isinstance(destination, Mirror) or not _exists(destination.folder):
        return []
    out = os.path.realpath(destination.folder)
    folders = {source.folder for source in sources if source.folder}
    heads = {folder: f"{os.path.relpath(out, os.path.realpath(folder))}/" for folder in folders}
    return [source for source in sources if source.folder and str(source.relative).startswith(heads[source.folder])]


def _mirrored(source: Source, folder: Path) -> Path:
    """Find the place below a folder; an archive goes by the name of what it holds."""
    relative = source.relative
    return folder / (unpacked_name(str(relative)) if is_packed(relative.name) else relative)


def _require_plain_name(path: Path) -> None:
    if is_packed(path.name):
        why = "what is written is never packed, and would be read as an archive by its name"
        raise UsageError("the output has the name of an archive", place=Place(str(path)), why=why, hint=f"write {unpacked_name(path.name)}")


def _the_only(sources: Sequence[Source]) -> Source:
    if len(sources) > 1:
        raise UsageError(f"-o takes one session, and there are {len(sources)}", hint="use --out DIR")
    return sources[0]


def _require_distinct(transfers: Sequence[Transfer]) -> None:
    taken: dict[str, Source] = {}
    for transfer in transfers:
        other = taken.setdefault(str(transfer.target), transfer.source)
        if other is not transfer.source:
            what = f"{other.path} and {transfer.source.path} would both be written to {transfer.target}"
            raise UsageError(what, hint="write them to two folders, one after the other")


def _require_other_files(transfers: Sequence[Transfer]) -> None:
    """Refuse a target that is one of the sources, its own or another's, under whatever name."""
    standing = {_identity(transfer.target): transfer.target for transfer in transfers if transfer.target and _exists(transfer.target)}
    if not standing:
        return
    for source in (transfer.source for transfer in transfers):
        target = None if source.is_stdin or not _exists(source.path) else standing.get(_identity(source.path))
        if target is not None:
            what = "this is one of the sessions to read, and would be written over"
            raise UsageError(what, place=Place(str(target)), hint="choose another --out or -o, or change it in place without them")


def _exists(path: Path) -> bool:
    return os.path.exists(path)  # noqa: PTH110  folders hold tens of thousands


def _identity(path: Path) -> tuple[int, int]:
    status = os.stat(path)  # noqa: PTH116  the same
    return status.st_dev, status.st_ino


def _require_files(sources: Sequence[Source]) -> None:
    if any(source.is_stdin for source in sources):
        raise UsageError("standard input cannot be changed in place", hint="use -o FILE, or -o - for standard output")
