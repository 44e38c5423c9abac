"""What a summary would be made from, and what the next request would start from."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sessionkit.cli.conduct import Report
from sessionkit.cli.reports.compact.words import REASONS
from sessionkit.cli.reports.messages.elision import without_base64
from sessionkit.cli.reports.messages.plain import MessageText
from sessionkit.cli.reports.skips import tell_skipped
from sessionkit.cli.voice import Style, Verbosity, Voice, warn
from sessionkit.errors import ExitCode
from sessionkit.ops.compact import Show

if TYPE_CHECKING:
    from sessionkit.cli.conduct import Manner
    from sessionkit.compaction.base import SummaryInput
    from sessionkit.ops.compact import Compacted, Open, Options


class Shown(Report["Open"]):
    """Writes texts and messages as they are, but for base64 and what no terminal should get; all else goes to standard error."""

    def __init__(self, how: Manner) -> None:
        self._voice = how.voice
        self._verbosity = how.verbosity
        self._code = ExitCode.OK

    def add(self, result: Open) -> None:
        """Show it, or say why there is nothing to be shown."""
        compacted = result.compacted
        if compacted.reason:
            self._say(f"nothing to compact: {REASONS[compacted.reason]}")
        else:
            self.show(result)
        for note in compacted.notes:
            self._say(f"warning: {note.kind}: {note.cause}")
        self.tell_skipped(compacted)

    def tell_skipped(self, compacted: Compacted) -> None:
        """Tell what of the session was passed over."""
        tell_skipped(compacted.skipped, str(compacted.source.path), Voice(sys.stderr), self._verbosity)

    def show(self, result: Open) -> None:
        """Show what there is."""

    def close(self, code: ExitCode) -> None:
        """Say nothing."""

    def verdict(self) -> ExitCode:
        """OK, unless a body could not be built, or would be refused."""
        return self._code

    def _say(self, text: str) -> None:
        if self._verbosity is not Verbosity.QUIET:
            warn(text)


class ShownInput(Shown):
    """Requests to the model that summarises; with a heading if there are two."""

    def show(self, result: Open) -> None:
        """Write each request."""
        requests = result.compacted.requests
        if not requests:
            self._say(f"{result.compacted.strategy} asks no model for a summary")
        for number, request in enumerate(requests, 1):
            if len(requests) > 1:
                self._voice.line(f"===== request {number} of {len(requests)} =====", Style.HEADING)
            self._write(request, result)

    def _write(self, request: SummaryInput, result: Open) -> None:
        if not isinstance(request, str):
            MessageText(result.viewer, self._voice).write(request, verbose=False)
            return
        for line in without_base64(request).split("\n"):
            self._voice.quote(line)


class ShownMessages(Shown):
    """The messages of the context afterwards, and where the summary ends."""

    def show(self, result: Open) -> None:
        """Write the messages."""
        projected = result.compacted.projected
        assert projected is not None
        if projected.boundary:
            boundary = projected.boundary
            told = f"epoch {boundary.epoch}: kept from #{boundary.kept_from} on, planned up to #{boundary.planned_at - 1}"
            self._voice.line(told, Style.FAINT)
            self._voice.line()
        MessageText(result.viewer, self._voice).write(projected.messages, verbose=False)


class ShownBody(Shown):
    """The request body for a provider; standard output gets nothing else."""

    def tell_skipped(self, compacted: Compacted) -> None:
        """Leave it to what is told of the body."""

    def show(self, result: Open) -> None:
        """Write the body, even if a limit is exceeded, which is told."""
        from sessionkit.cli.delivery import Form
        from sessionkit.cli.reports.rehydrate import report_for, verdict
        from sessionkit.ops.rehydrate import Unsendable

        body = result.body()
        assert body is not None
        self._code = verdict(body)
        told = report_for(str(result.compacted.source.path), self._verbosity, as_json=False)
        if isinstance(body, Unsendable):
            told.refuse(body)
            return
        told.describe(body)
        Form(output=None, force=True, pretty=False, messages_only=False, curl=False).deliver(body, None)
        sys.stdout.flush()


def open_report_for(how: Manner, options: Options, as_json: bool) -> Report[Open]:
    """Choose what is shown of a session that is open."""
    if as_json:
        from sessionkit.cli.reports.compact.json_lines import OpenJson

        return OpenJson(how, options)
    match options.telling.show:
        case Show.INPUT:
            return ShownInput(how)
        case _ if options.provider:
            return ShownBody(how)
        case _:
            return ShownMessages(how)
