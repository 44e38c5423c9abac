"""How `prepare` tells what became of images: their blocks are data, and go to standard output."""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from hashlib import sha256
from typing import TYPE_CHECKING

from sessionkit.cli.reasons import why_left
from sessionkit.cli.reports.jsonlines import JsonLines, Record, error_record, name
from sessionkit.cli.sizes import count
from sessionkit.cli.voice import Style, Verbosity, Voice, warn, warn_of
from sessionkit.core.ladder import Fitted
from sessionkit.errors import ExitCode, StoppedError, UsageError
from sessionkit.ops.prepare import Options, Prepared, Unprepared, error_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessionkit.core.model import Json


class PrepareReport(ABC):
    """Tells of each image as it is done, and of what went wrong at the end."""

    def __init__(self, options: Options, verbosity: Verbosity) -> None:
        self._options = options
        self._verbosity = verbosity
        self._prepared: list[bool] = []
        self._refused: list[Unprepared] = []

    def add(self, outcome: Prepared | Unprepared) -> None:
        """Tell of an image."""
        match outcome:
            case Unprepared():
                self._refused.append(outcome)
                self.tell_refused(outcome)
            case Prepared():
                self._prepared.append(isinstance(outcome.outcome, Fitted))
                self.tell_prepared(outcome)

    @abstractmethod
    def tell_prepared(self, prepared: Prepared) -> None:
        """Tell of an image that is fit, or was left out."""

    @abstractmethod
    def tell_refused(self, refused: Unprepared) -> None:
        """Tell of one that could not be prepared."""

    def error_blocks(self, refused: Unprepared) -> Sequence[Json]:
        """Tell the model of it."""
        return error_blocks(refused.error, self._options.shape)

    def close(self) -> ExitCode:
        """Sum up, and return how to exit."""
        self._explain()
        if self._verbosity is not Verbosity.QUIET and self._prepared and self._options.sees() is None:
            hint = "say --vision yes, or list it in a --catalog"
            warn(f"nobody here knows whether {self._options.model} takes images, so the texts say that it does not: {hint}")
        return self.verdict()

    def verdict(self) -> ExitCode:
        """Exit code of what was told so far."""
        if not self._refused:
            return ExitCode.OK
        if self._prepared and not any(refused.error.ends_batch for refused in self._refused):
            return ExitCode.PARTIAL
        return ExitCode.USAGE if all(isinstance(refused.error, UsageError) for refused in self._refused) else ExitCode.FAILED

    def sums(self) -> Record:
        """Count what became of the images."""
        shown, failed = sum(self._prepared), len(self._failed())
        return {
            "images": len(self._prepared) + len(self._refused),
            "prepared": shown,
            "omitted": len(self._prepared) - shown,
            "failed": failed,
            "not_done": len(self._refused) - failed,
        }

    def _failed(self) -> list[Unprepared]:
        """List those that were tried."""
        return [refused for refused in self._refused if not isinstance(refused.error, StoppedError)]

    def _explain(self) -> None:
        total = len(self._prepared) + len(self._refused)
        told = self._failed()
        if total > 1 and told:
            warn(f"{len(told)} of {count(total, 'image')} failed:", Style.ALARM)
        for refused in told:
            warn_of(refused.error, "" if refused.name in str(refused.error) else refused.name)
        if len(told) < len(self._refused):
            cause = why_left(refused.error for refused in told)
            warn(f"{count(len(self._refused) - len(told), 'image')} not done, {cause}")


class PrepareLines(PrepareReport):
    """A line of blocks for each image; people read on standard error of what was left out."""

    def __init__(self, options: Options, verbosity: Verbosity) -> None:
        super().__init__(options, verbosity)
        self._voice = Voice(sys.stdout)

    def tell_prepared(self, prepared: Prepared) -> None:
        """Write the blocks."""
        self._write(prepared.blocks)
        if self._verbosity is not Verbosity.QUIET and not isinstance(prepared.outcome, Fitted):
            warn(f"left out: {prepared.name}: {prepared.outcome.reason}")

    def tell_refused(self, refused: Unprepared) -> None:
        """Write the error for the model."""
        self._write(self.error_blocks(refused))

    def _write(self, blocks: Sequence[Json]) -> None:
        """Write one line, in ASCII: a terminal shows no character that acts on it."""
        self._voice.line(json.dumps(list(blocks), separators=(",", ":")).replace("\x7f", "\\u007f"))


class PrepareRecords(PrepareReport):
    """JSON Lines."""

    def __init__(self, options: Options, verbosity: Verbosity) -> None:
        super().__init__(options, verbosity)
        self._lines = JsonLines(Voice(sys.stdout), "prepare")

    def tell_prepared(self, prepared: Prepared) -> None:
        """Write what the image is and was, and its blocks."""
        outcome = prepared.outcome
        shown = _shown(prepared, outcome) if isinstance(outcome, Fitted) else {"reason": outcome.reason}
        status = "prepared" if isinstance(outcome, Fitted) else "omitted"
        self._write(prepared.name, status, {"content_type": prepared.type.mime, "text": prepared.text, **shown}, prepared.blocks)

    def tell_refused(self, refused: Unprepared) -> None:
        """Write the error for programs, and for the model."""
        self._write(refused.name, "failed", {"error": error_record(refused.error)}, self.error_blocks(refused))

    def close(self) -> ExitCode:
        """Write the summary."""
        self._lines.write("summary", {**self.sums(), "exit_code": int(self.verdict())})
        return super().close()

    def _write(self, image: str, status: str, facts: Record, blocks: Sequence[Json]) -> None:
        record: Record = {"image": name(image), "status": status, "is_error": status == "failed", **facts, "blocks": list(blocks)}
        self._lines.write("image", record)


def _shown(prepared: Prepared, image: Fitted) -> Record:
    return {
        "media_type": image.type.mime,
        "bytes": len(image.data),
        "width": image.size.width,
        "height": image.size.height,
        "original_width": image.original.width,
        "original_height": image.original.height,
        "frames": image.frames,
        "asset": prepared.asset.reference if prepared.asset else None,
        "sha256": sha256(image.data).hexdigest(),
    }


def report_for(options: Options, as_json: bool, verbosity: Verbosity) -> PrepareReport:
    """Choose how it is told."""
    return (PrepareRecords if as_json else PrepareLines)(options, verbosity)
