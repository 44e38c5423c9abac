"""`gc` as JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sessionkit.cli.conduct import Report
from sessionkit.cli.reports.gc.base import GcTotals, Result
from sessionkit.cli.reports.jsonlines import JsonLines, Record, error_record, name
from sessionkit.cli.voice import Verbosity
from sessionkit.ops.gc import Collected, StoreFailed
from sessionkit.ops.writing import Effect

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.core.stores.base import StoredFile
    from sessionkit.errors import ExitCode
    from sessionkit.ops.gc import Plan


class GcJson(Report[Result]):
    """Records by the schema of `gc`: stores, with -v before each the assets that nothing names, and a summary."""

    is_for_programs = True

    def __init__(self, how: Manner, plan: Plan) -> None:
        self._plan = plan
        self._is_dry = plan.options.writing.effect is Effect.REHEARSE
        self._is_verbose = how.verbosity is Verbosity.VERBOSE
        self._lines = JsonLines(how.voice, "gc")
        self._sums = GcTotals()

    def add(self, result: Result) -> None:
        """Write the records of a store."""
        self._sums.add(result)
        match result:
            case Collected():
                self._tell(result)
            case StoreFailed():
                self._lines.write("store", failure(result))
            case _:
                pass

    def _tell(self, result: Collected) -> None:
        census = result.census
        moved = frozenset(file.name for file in result.trash.files) if result.trash else frozenset()
        if self._is_verbose:
            for file in census.orphans:
                self._asset(census.store, file, "moved" if file.name in moved else "orphan")
            for file in census.young:
                self._asset(census.store, file, "young")
        sums = GcTotals()
        sums.add(result)
        status = "planned" if self._is_dry else "collected"
        more = {"trash": result.trash.stamp if result.trash else None, "strangers": [name(stranger) for stranger in census.strangers]}
        self._lines.write("store", {"store": name(census.store), "status": status, **figures(sums), **more})

    def _asset(self, store: str, file: StoredFile, state: str) -> None:
        figures = {"bytes": file.stat.size, "mtime_ns": file.stat.mtime_ns}
        self._lines.write("asset", {"store": name(store), "asset": file.name.reference, "state": state, **figures})

    def close(self, code: ExitCode) -> None:
        """Write the summary."""
        marker, sights = self._plan.marker, self._plan.sights
        read = {"roots": marker.count, "root_bytes": marker.size, "grace_seconds": int(self._plan.options.grace.total_seconds())}
        alone = {"lonely": [name(path) for path in sights.lonely], "linked": [name(path) for path in sights.linked]}
        numbers = {"stores": self._sums.stores + self._sums.failed, "failed": self._sums.failed, **figures(self._sums)}
        self._lines.write("summary", {**numbers, **read, **alone, "dry_run": self._is_dry, "exit_code": int(code)})


def figures(sums: GcTotals) -> Record:
    """Figures of one store, or of all."""
    return {
        "assets": sums.assets,
        "bytes": sums.size,
        "named": sums.named,
        "young": sums.young,
        "young_bytes": sums.young_size,
        "orphans": sums.orphans,
        "orphan_bytes": sums.orphan_size,
        "moved": sums.moved,
        "moved_bytes": sums.moved_size,
        "leftovers": sums.leftovers,
    }


def failure(failed: StoreFailed) -> Record:
    """Record of a store that failed, and why."""
    return {"store": name(failed.store), "status": "failed", "error": error_record(failed.error)}
