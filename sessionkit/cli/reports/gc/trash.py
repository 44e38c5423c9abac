"""What `gc --undo` and `gc --purge-trash` tell."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from sessionkit.cli.conduct import Report
from sessionkit.cli.reports.gc.base import Result
from sessionkit.cli.reports.gc.json_lines import failure
from sessionkit.cli.reports.jsonlines import JsonLines, Record, name
from sessionkit.cli.sizes import count, size
from sessionkit.ops.gc import Purged, PutBack, StoreFailed
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.core.stores.trash import Trash
    from sessionkit.errors import ExitCode

_PLANNED = "planned"


class UndoText(Report[Result]):
    """A line for each store."""

    def __init__(self, how: Manner, effect: Effect) -> None:
        self._voice = how.voice
        self._is_dry = effect is Effect.REHEARSE

    def add(self, result: Result) -> None:
        """Write of a store."""
        if isinstance(result, PutBack):
            there = len(result.trash.files) - len(result.files)
            rest = f"; {there:,} there again already" if there else ""
            back = sum(file.stat.size for file in result.files)
            verb = "would be put back" if self._is_dry else "put back"
            self._voice.paragraph(
                f"{result.store}: {count(len(result.files), 'asset')}, {size(back)}, {verb} from {result.trash.stamp}{rest}", 0
            )

    def close(self, code: ExitCode) -> None:
        """Say if nothing was written."""
        del code
        if self._is_dry:
            self._voice.line("dry run: nothing was written")


class PurgeText(Report[Result]):
    """A line for each trash, and sums."""

    def __init__(self, how: Manner, effect: Effect) -> None:
        self._voice = how.voice
        self._is_dry = effect is Effect.REHEARSE
        self._failed = 0
        self._trashes = 0
        self._bytes = 0

    def add(self, result: Result) -> None:
        """Write of a store."""
        self._failed += isinstance(result, StoreFailed)
        for trash in _purged(result):
            self._trashes += 1
            self._bytes += trash.size
            self._voice.paragraph(f"{_store(result)}: {trash.stamp}: {count(len(trash.files), 'asset')}, {size(trash.size)}", 0)

    def close(self, code: ExitCode) -> None:
        """Sum up what was found."""
        del code
        verb = "to delete for good" if self._is_dry else "deleted for good"
        of = "trash" if self._trashes == 1 else "trashes"
        if self._trashes or not self._failed:
            self._voice.line(f"{self._trashes:,} {of} {verb}, {size(self._bytes)}")
        if self._is_dry:
            self._voice.line("dry run: nothing was written" + ("; --apply deletes" if self._trashes else ""))


class _TrashJson(Report[Result]):
    is_for_programs = True
    done: ClassVar[str]

    def __init__(self, how: Manner, effect: Effect) -> None:
        self._lines = JsonLines(how.voice, "gc")
        self._is_dry = effect is Effect.REHEARSE
        self._failed = 0
        self._trashes = 0
        self._assets = 0
        self._bytes = 0

    def add(self, result: Result) -> None:
        """Write the records of a store."""
        if isinstance(result, StoreFailed):
            self._failed += 1
            self._lines.write("store", failure(result))
        for trash, there in self.told(result):
            self._trashes += 1
            self._assets += len(trash.files) - there
            self._bytes += trash.size
            figures: Record = {"assets": len(trash.files), "bytes": trash.size, "there_again": there}
            status = _PLANNED if self._is_dry else self.done
            self._lines.write("trash", {"store": name(_store(result)), "status": status, "trash": trash.stamp, **figures})

    @abstractmethod
    def told(self, result: Result) -> list[tuple[Trash, int]]:
        """List the trashes of a result, each with the number of its assets that were in the store again."""

    def close(self, code: ExitCode) -> None:
        """Write the summary."""
        sums: Record = {"trashes": self._trashes, "failed": self._failed, "assets": self._assets, "bytes": self._bytes}
        self._lines.write("summary", {**sums, "dry_run": self._is_dry, "exit_code": int(code)})


class UndoJson(_TrashJson):
    """Records by the schema of `gc`: a trash for each store."""

    done = "put-back"

    def told(self, result: Result) -> list[tuple[Trash, int]]:
        """Take the one that was put back."""
        return [(result.trash, len(result.trash.files) - len(result.files))] if isinstance(result, PutBack) else []


class PurgeJson(_TrashJson):
    """Records by the schema of `gc`: those that were deleted."""

    done = "purged"

    def told(self, result: Result) -> list[tuple[Trash, int]]:
        """Take all; whether the store has their assets again is not asked."""
        return [(trash, 0) for trash in _purged(result)]


def _purged(result: Result) -> tuple[Trash, ...]:
    return result.trashes if isinstance(result, Purged) else ()


def _store(result: Result) -> str:
    assert isinstance(result, Purged | PutBack)
    return result.store
